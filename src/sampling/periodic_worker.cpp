#include "sampling/periodic_worker.hpp"

#include <pthread.h>

#include <system_error>
#include <utility>

#include "base/signals_blocked.hpp"
#include "sampling/punctual.hpp"

namespace codecarbon {

PeriodicWorker::PeriodicWorker(std::shared_ptr<const Clock> clock, std::function<void()> work,
                               Priority priority)
    : clock_(std::move(clock)), work_(std::move(work)), priority_(priority) {}

PeriodicWorker::~PeriodicWorker() {
  retire();
  if (thread_.joinable()) thread_.join();
}

bool PeriodicWorker::run_every(Duration period, Rhythm rhythm) {
  const std::lock_guard lock(mutex_);
  beat_.start(clock_->now(), period, rhythm);
  quit_ = false;
  if (!at_work_) return start_thread();
  alarm_.ring();
  return true;
}

bool PeriodicWorker::start_thread() {
  if (thread_.joinable()) thread_.join();  // it is past everything that it could wait for
  const SignalsBlocked blocked;
  try {
    at_work_ = true;
    thread_ = std::thread([this] { loop(); });
  } catch (const std::system_error&) {
    at_work_ = false;
    return false;
  }
  return true;
}

void PeriodicWorker::park() {
  const std::lock_guard lock(mutex_);
  beat_.stop();
  // No alarm: a deadline that was already being waited for finds nothing to do and sleeps on.
}

void PeriodicWorker::retire() {
  const std::lock_guard lock(mutex_);
  beat_.stop();
  quit_ = true;
  alarm_.ring();
}

/// Told to quit and told otherwise before it saw that, the thread goes on.
bool PeriodicWorker::is_over() {
  const std::lock_guard lock(mutex_);
  at_work_ = !quit_;
  if (quit_) alarm_.ring();  // whoever moves a clock by hand sees that it will not wait again
  return quit_;
}

PeriodicWorker::Plan PeriodicWorker::current_plan() {
  const std::lock_guard lock(mutex_);
  return {beat_.period(), beat_.due()};
}

void PeriodicWorker::served(MonoTime due) {
  const std::lock_guard lock(mutex_);
  beat_.served(due, clock_->now());
}

void PeriodicWorker::loop() {
  ::pthread_setname_np(::pthread_self(), "codecarbon");
  Duration punctual_for{};
  while (!is_over()) {
    const Plan plan = current_plan();
    if (priority_ == Priority::punctual && plan.period != punctual_for) {
      lacks_priority_ = !make_punctual(punctual_for = plan.period);
    }
    if (clock_->wait_until(plan.due, alarm_)) {
      alarm_.clear();
      continue;
    }
    if (current_plan().due != plan.due) continue;  // parked or moved while it slept
    work_();
    served(plan.due);
  }
}

}  // namespace codecarbon
