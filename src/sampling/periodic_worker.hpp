#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "codecarbon/clock.hpp"

namespace codecarbon {

/// One native thread that does its work at absolute deadlines, a period apart, and sleeps without
/// waking in between. It starts parked; it takes no signals; it joins itself when destroyed.
/// All functions are thread-safe and none waits for the work, but the destructor.
class PeriodicWorker {
 public:
  /// `work` must not throw and must not destroy the worker.
  PeriodicWorker(std::shared_ptr<const Clock> clock, std::function<void()> work);
  PeriodicWorker(const PeriodicWorker&) = delete;
  PeriodicWorker& operator=(const PeriodicWorker&) = delete;
  ~PeriodicWorker();

  /// Works every `period` from one period from now on; starts the thread at the first call. False
  /// when the system refuses a thread: then nothing works until the next call.
  bool run_every(Duration period);
  /// Sleeps until told to run again; work in progress is finished.
  void park();

 private:
  struct Plan {
    Duration period{};
    MonoTime deadline = MonoTime::max();
    bool quit = false;
  };

  void loop();
  Plan current_plan();
  void schedule_after(MonoTime finished);
  bool start_thread();

  std::shared_ptr<const Clock> clock_;
  std::function<void()> work_;
  Alarm alarm_;
  std::mutex mutex_;  // guards plan_
  Plan plan_;
  std::thread thread_;
};

}  // namespace codecarbon
