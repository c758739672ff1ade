#include "sampling/periodic_worker.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

#include <system_error>
#include <utility>

#include "sampling/signals_blocked.hpp"

namespace codecarbon {
namespace {

/// Periods this short are kept only by a thread that the scheduler prefers.
constexpr Duration kRealTimeBelow = std::chrono::milliseconds(10);

/// A part of the period for the beat of this number. Any sequence whose next value follows from the
/// last would tie the time to the next beat to the phase of this one, and so weigh some phases of a
/// load more than others; a hash of the number does not. (The finalizer of SplitMix64: Steele, Lea,
/// Flood 2014.)
Duration part_of(Duration period, std::uint64_t beat) {
  std::uint64_t mixed = beat * 0x9E3779B97F4A7C15U;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
  mixed ^= mixed >> 31U;
  const double fraction = static_cast<double>(mixed >> 11U) * 0x1p-53;
  return Duration(static_cast<std::int64_t>(static_cast<double>(period.count()) * fraction));
}

}  // namespace

PeriodicWorker::PeriodicWorker(std::shared_ptr<const Clock> clock, std::function<void()> work,
                               Priority priority)
    : clock_(std::move(clock)), work_(std::move(work)), priority_(priority) {}

PeriodicWorker::~PeriodicWorker() {
  retire();
  if (thread_.joinable()) thread_.join();
}

bool PeriodicWorker::run_every(Duration period, Rhythm rhythm) {
  const std::lock_guard lock(mutex_);
  plan_.period = period;
  plan_.rhythm = rhythm;
  plan_.beat = clock_->now() + period;
  schedule();
  plan_.quit = false;
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
  plan_.deadline = MonoTime::max();
  // No alarm: a deadline that was already being waited for finds nothing to do and sleeps on.
}

void PeriodicWorker::retire() {
  const std::lock_guard lock(mutex_);
  plan_.deadline = MonoTime::max();
  plan_.quit = true;
  alarm_.ring();
}

/// Told to quit and told otherwise before it saw that, the thread goes on.
bool PeriodicWorker::is_over() {
  const std::lock_guard lock(mutex_);
  at_work_ = !plan_.quit;
  if (plan_.quit) alarm_.ring();  // whoever moves a clock by hand sees that it will not wait again
  return plan_.quit;
}

PeriodicWorker::Plan PeriodicWorker::current_plan() {
  const std::lock_guard lock(mutex_);
  return plan_;
}

/// Called with the lock held.
void PeriodicWorker::schedule() {
  plan_.deadline = plan_.beat;
  if (plan_.rhythm == Rhythm::even) return;
  plan_.deadline += part_of(plan_.period, ++plan_.beats);
}

void PeriodicWorker::schedule_after(MonoTime served, MonoTime finished) {
  const std::lock_guard lock(mutex_);
  if (plan_.deadline != served) return;  // parked or told anew while it worked
  plan_.beat += plan_.period;
  // Work that outlasted its period skips the deadlines it missed and keeps the rhythm.
  if (plan_.beat <= finished) {
    plan_.beat += ((finished - plan_.beat) / plan_.period + 1) * plan_.period;
  }
  schedule();
}

/// Exact wake-ups, and precedence over ordinary threads where the period needs it and the system
/// allows it; refused, sampling is as punctual as the system is idle.
void PeriodicWorker::sharpen(Duration period) {
  ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  if (period > kRealTimeBelow) return;
  sched_param priority{};
  priority.sched_priority = ::sched_get_priority_min(SCHED_FIFO);
  lacks_priority_ = ::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &priority) != 0;
}

void PeriodicWorker::loop() {
  ::pthread_setname_np(::pthread_self(), "codecarbon");
  Duration sharpened_for{};
  while (!is_over()) {
    const Plan plan = current_plan();
    if (priority_ == Priority::punctual && plan.period != sharpened_for) {
      sharpen(sharpened_for = plan.period);
    }
    if (clock_->wait_until(plan.deadline, alarm_)) {
      alarm_.clear();
      continue;
    }
    if (current_plan().deadline != plan.deadline) continue;  // parked or moved while it slept
    work_();
    schedule_after(plan.deadline, clock_->now());
  }
}

}  // namespace codecarbon
