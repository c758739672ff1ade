#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "codecarbon/clock.hpp"
#include "sampling/beat.hpp"

namespace codecarbon {

/// One native thread that does its work at absolute deadlines, a period apart, and sleeps without
/// waking in between. It takes no signals; it joins itself when destroyed. All functions are
/// thread-safe and none waits for the work, but the destructor.
class PeriodicWorker {
 public:
  /// `punctual`: wakes exactly and, for periods up to 10 ms, asks the system for real-time
  /// priority.
  enum class Priority { ordinary, punctual };

  /// `work` must not throw and must not destroy the worker.
  PeriodicWorker(std::shared_ptr<const Clock> clock, std::function<void()> work,
                 Priority priority = Priority::ordinary);
  PeriodicWorker(const PeriodicWorker&) = delete;
  PeriodicWorker& operator=(const PeriodicWorker&) = delete;
  ~PeriodicWorker();

  /// Works every `period` from one period from now on; starts the thread if there is none. False
  /// when the system refuses a thread: then nothing works until the next call.
  bool run_every(Duration period, Rhythm rhythm = Rhythm::even);
  /// Sleeps until told to run again; work in progress is finished.
  void park();
  /// As `park`, for longer: the thread ends.
  void retire();
  /// True when real-time priority was asked for and refused.
  bool lacks_priority() const { return lacks_priority_; }

 private:
  /// What the thread has to do, as it was when it last looked.
  struct Plan {
    Duration period;
    MonoTime due;
  };

  void loop();
  Plan current_plan();
  bool is_over();
  void served(MonoTime due);
  bool start_thread();

  std::shared_ptr<const Clock> clock_;
  std::function<void()> work_;
  Priority priority_;
  std::atomic<bool> lacks_priority_ = false;
  Alarm alarm_;
  std::mutex mutex_;  // guards all below
  Beat beat_;
  bool quit_ = false;
  bool at_work_ = false;  // the thread is there and has not seen that it shall quit
  std::thread thread_;
};

}  // namespace codecarbon
