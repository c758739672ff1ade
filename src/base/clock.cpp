#include "codecarbon/clock.hpp"

#include <time.h>

#include <algorithm>
#include <cerrno>

namespace codecarbon {
namespace {

/// For CLOCK_MONOTONIC, which std::chrono::steady_clock is here. The past is past: no negative
/// parts.
timespec to_timespec(MonoTime time) {
  const auto since = std::max(time.time_since_epoch(), Duration{});
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(since);
  return {static_cast<time_t>(whole.count()), static_cast<long>((since - whole).count())};
}

}  // namespace

Alarm::Alarm() {
  ::sem_init(&rings_, 0, 0);
}

Alarm::~Alarm() {
  ::sem_destroy(&rings_);
}

void Alarm::ring() {
  ::sem_post(&rings_);
}

void Alarm::clear() {
  while (::sem_trywait(&rings_) == 0) {
  }
}

bool Alarm::is_rung() const {
  int rings = 0;
  return ::sem_getvalue(&rings_, &rings) == 0 && rings > 0;
}

bool Alarm::wait_until(MonoTime deadline) {
  const timespec until = to_timespec(deadline);
  int failed = 0;
  do {
    failed = deadline == MonoTime::max() ? ::sem_wait(&rings_)
                                         : ::sem_clockwait(&rings_, CLOCK_MONOTONIC, &until);
  } while (failed != 0 && errno == EINTR);
  if (failed != 0) return false;
  ::sem_post(&rings_);  // it stays rung
  return true;
}

MonoTime SystemClock::now() const {
  return std::chrono::steady_clock::now();
}

WallTime SystemClock::wall_now() const {
  return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

bool SystemClock::wait_until(MonoTime deadline, Alarm& alarm) const {
  return alarm.wait_until(deadline);
}

ManualClock::ManualClock(WallTime wall_start) : wall_start_(wall_start) {}

MonoTime ManualClock::now() const {
  const std::lock_guard lock(mutex_);
  return now_;
}

WallTime ManualClock::wall_now() const {
  return wall_start_ +
         std::chrono::duration_cast<std::chrono::microseconds>(now().time_since_epoch());
}

bool ManualClock::wait_until(MonoTime deadline, Alarm& alarm) const {
  // An alarm may be rung by a thread that knows nothing of this clock, so it is looked at in short
  // real-time steps; the time that is told never depends on them.
  Waiter self{deadline, &alarm, std::this_thread::get_id()};
  std::unique_lock lock(mutex_);
  if (now_ >= deadline) return alarm.is_rung();
  waiters_.push_back(&self);
  changed_.notify_all();
  while (!self.released && !alarm.is_rung()) changed_.wait_for(lock, std::chrono::milliseconds(1));
  std::erase(waiters_, &self);
  changed_.notify_all();
  return alarm.is_rung();
}

ManualClock::Waiter* ManualClock::next_due(MonoTime target) const {
  Waiter* next = nullptr;
  for (Waiter* waiter : waiters_) {
    if (waiter->released || waiter->deadline > target) continue;
    if (next == nullptr || waiter->deadline < next->deadline) next = waiter;
  }
  return next;
}

void ManualClock::await_return_of(const Waiter& left, std::unique_lock<std::mutex>& lock) const {
  const auto back = [&] {
    const bool waits = std::any_of(waiters_.begin(), waiters_.end(), [&](const Waiter* waiter) {
      return waiter->thread == left.thread && !waiter->released;
    });
    return waits || left.alarm->is_rung();
  };
  while (!back()) changed_.wait_for(lock, std::chrono::milliseconds(1));
}

void ManualClock::advance(Duration step) {
  std::unique_lock lock(mutex_);
  const MonoTime target = now_ + step;
  while (Waiter* waiter = next_due(target)) {
    now_ = std::max(now_, waiter->deadline);
    waiter->released = true;
    const Waiter left = *waiter;  // the waiter itself goes when its thread wakes
    changed_.notify_all();
    await_return_of(left, lock);
  }
  now_ = target;
}

void ManualClock::await_waiters(std::size_t count) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiters_.size() >= count; });
}

}  // namespace codecarbon
