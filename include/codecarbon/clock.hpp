#pragma once
/// \file
/// Time is handed in. Durations come from the monotonic clock; the wall clock only labels.

#include <semaphore.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace codecarbon {

using Duration = std::chrono::nanoseconds;
using MonoTime = std::chrono::time_point<std::chrono::steady_clock, Duration>;
using WallTime = std::chrono::sys_time<std::chrono::microseconds>;

constexpr double seconds(Duration duration) {
  return static_cast<double>(duration.count()) * 1e-9;
}

/// Wakes one waiting thread early. Once rung it stays rung until `clear`. Thread-safe.
class Alarm {
 public:
  Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  ~Alarm();

  void ring();
  void clear();
  bool is_rung() const;
  /// Blocks until rung, at most until `deadline` by the monotonic clock. True when rung.
  bool wait_until(MonoTime deadline);

 private:
  // A semaphore, because one system call waits for it: a condition variable takes two a wait.
  mutable sem_t rings_;
};

/// Thread-safe. `now` never decreases.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual MonoTime now() const = 0;
  virtual WallTime wall_now() const = 0;
  /// Blocks until `deadline` (for ever if MonoTime::max()) or until `alarm` is rung, whichever
  /// comes first. Returns true when the alarm ended it.
  virtual bool wait_until(MonoTime deadline, Alarm& alarm) const = 0;
};

/// The machine's own clocks (CLOCK_MONOTONIC and CLOCK_REALTIME).
class SystemClock final : public Clock {
 public:
  MonoTime now() const override;
  WallTime wall_now() const override;
  bool wait_until(MonoTime deadline, Alarm& alarm) const override;
};

/// A clock that stands still until it is told to advance: for tests and for playing a scripted
/// machine faster than it would live.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(WallTime wall_start = WallTime{});
  MonoTime now() const override;
  WallTime wall_now() const override;
  bool wait_until(MonoTime deadline, Alarm& alarm) const override;

  /// Moves time forward by `step`, stopping at each waiter's deadline on the way until that waiter
  /// waits again or has been rung, so that a periodic thread runs exactly when it should.
  void advance(Duration step);

  /// Blocks until `count` threads wait on this clock.
  void await_waiters(std::size_t count) const;

 private:
  struct Waiter {
    MonoTime deadline;
    Alarm* alarm;
    std::thread::id thread;
    bool released = false;
  };
  Waiter* next_due(MonoTime target) const;
  void await_return_of(const Waiter& left, std::unique_lock<std::mutex>& lock) const;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable std::vector<Waiter*> waiters_;
  MonoTime now_{};
  WallTime wall_start_;
};

}  // namespace codecarbon
