#include "codecarbon/clock.hpp"

#include <algorithm>

namespace codecarbon {

void Alarm::ring() {
  {
    const std::lock_guard lock(mutex_);
    rung_ = true;
  }
  changed_.notify_all();
}

void Alarm::clear() {
  const std::lock_guard lock(mutex_);
  rung_ = false;
}

MonoTime SystemClock::now() const {
  return std::chrono::steady_clock::now();
}

WallTime SystemClock::wall_now() const {
  return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

bool SystemClock::wait_until(MonoTime deadline, Alarm& alarm) const {
  std::unique_lock lock(alarm.mutex_);
  const auto rung = [&] { return alarm.rung_; };
  if (deadline == MonoTime::max()) {
    alarm.changed_.wait(lock, rung);
    return true;
  }
  return alarm.changed_.wait_until(lock, deadline, rung);
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
  const auto rung = [&] {
    const std::lock_guard guard(alarm.mutex_);
    return alarm.rung_;
  };
  Waiter self{deadline, &alarm, std::this_thread::get_id()};
  std::unique_lock lock(mutex_);
  if (now_ >= deadline) return rung();
  waiters_.push_back(&self);
  changed_.notify_all();
  while (!self.released && !rung()) changed_.wait_for(lock, std::chrono::milliseconds(1));
  std::erase(waiters_, &self);
  changed_.notify_all();
  return rung();
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
    if (waits) return true;
    const std::lock_guard guard(left.alarm->mutex_);
    return left.alarm->rung_;
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
