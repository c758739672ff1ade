#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "codecarbon/clock.hpp"

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

  /// When in its period the work is done.
  enum class Rhythm {
    even,       ///< at the same moment of each
    scattered,  ///< at another moment of each, spread evenly over many of them
  };

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
  struct Plan {
    Duration period{};
    Rhythm rhythm = Rhythm::even;
    MonoTime beat{};  // the next one of an even rhythm
    std::uint64_t beats = 0;
    MonoTime deadline = MonoTime::max();
    bool quit = false;
  };

  void loop();
  Plan current_plan();
  bool is_over();
  void schedule();
  void schedule_after(MonoTime served, MonoTime finished);
  void sharpen(Duration period);
  bool start_thread();

  std::shared_ptr<const Clock> clock_;
  std::function<void()> work_;
  Priority priority_;
  std::atomic<bool> lacks_priority_ = false;
  Alarm alarm_;
  std::mutex mutex_;  // guards all below
  Plan plan_;
  bool at_work_ = false;  // the thread is there and has not seen that it shall quit
  std::thread thread_;
};

}  // namespace codecarbon
