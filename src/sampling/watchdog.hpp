#pragma once

#include <atomic>
#include <functional>
#include <thread>

#include "base/fd.hpp"
#include "codecarbon/clock.hpp"

namespace codecarbon {

/// Calls for help when it has not been put off for long enough, on a thread of its own that sleeps
/// all the time otherwise: putting it off costs one system call and wakes nobody. By the real
/// clock. One caller at a time.
class Watchdog {
 public:
  /// `bark` must not destroy the watchdog.
  explicit Watchdog(std::function<void()> bark);
  /// Waits for a call that is being made.
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Calls once, `wait` from now on, instead of whenever it would have. Without effect where the
  /// system refuses a timer or a thread.
  void bark_in(Duration wait);
  void be_quiet();

 private:
  bool is_awake();
  void loop();

  std::function<void()> bark_;
  Fd timer_;
  std::atomic<bool> quit_ = false;
  std::thread thread_;
};

}  // namespace codecarbon
