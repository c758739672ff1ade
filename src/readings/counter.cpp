#include "readings/counter.hpp"

#include <algorithm>

namespace codecarbon {

bool Counter::is_fault(const Reading& reading, const std::optional<Baseline>& baseline) {
  if (!reading.value || *reading.value < 0) return true;
  // A counter that has counted shows zero only by a failed read. One that was really reset shows
  // a small number soon after, and is recognised then.
  return *reading.value == 0 && baseline && baseline->value != 0;
}

/// The energy that leads from the baseline to `value`, if the hardware can have used it.
std::optional<Energy> Counter::plausible_step(std::int64_t value, MonoTime at) const {
  std::int64_t step = value - baseline_->value;
  if (step < 0) {
    if (!info_->range || value > info_->range->uj()) return std::nullopt;
    step += info_->range->uj();
  }
  const Duration lag = baseline_->moved ? kUsualLag : kFirstLag;
  const Energy most =
      info_->plausible_power * ((at - baseline_->changed_at) + lag + info_->update_period);
  const Energy energy = Energy::from_uj(step);
  if (step < 0 || energy > most) return std::nullopt;
  return energy;
}

bool Counter::suspicious(const Reading& reading) const {
  if (is_fault(reading, baseline_)) return !absence_.is_faulty();
  return baseline_ && !plausible_step(*reading.value, reading.at);
}

std::optional<Interval> Counter::advance(const Reading& reading) {
  const bool fault = is_fault(reading, baseline_);
  absence_.note(fault);
  if (fault) return std::nullopt;
  if (!baseline_) return first(reading);
  if (const auto step = plausible_step(*reading.value, reading.at)) return rise(reading, *step);
  return reset(reading);
}

std::optional<Interval> Counter::first(const Reading& reading) {
  baseline_ = Baseline{reading.at, *reading.value, reading.at, false};
  return absence_.end(reading.at);
}

Interval Counter::rise(const Reading& reading, Energy step) {
  Interval interval{baseline_->at, reading.at, step, step * info_->relative_bound, std::nullopt};
  if (step == Energy{}) {
    baseline_->at = reading.at;
    return interval;
  }
  interval.gap = overrun(reading.at);
  if (const auto still = stall(baseline_->at); still && !interval.gap) {
    if (!caught_up(step, reading.at)) interval.gap = still;
  } else {
    paced_energy_ += step;
    paced_time_ += reading.at - baseline_->changed_at;
  }
  baseline_ = Baseline{reading.at, *reading.value, reading.at, true};
  return interval;
}

/// Whether a counter that stood still shows now what flowed meanwhile: at least half of what its
/// own pace so far would have given.
bool Counter::caught_up(Energy step, MonoTime now) const {
  if (paced_time_ <= Duration::zero()) return false;
  const Energy expected = mean_power(paced_energy_, paced_time_) * (now - baseline_->changed_at);
  return step.uj() >= expected.uj() / 2;
}

Interval Counter::reset(const Reading& reading) {
  const Interval interval{baseline_->at, reading.at, Energy{}, Energy{},
                          missing(*info_, baseline_->at, reading.at, GapCause::reset)};
  baseline_ = Baseline{reading.at, *reading.value, reading.at, false};
  return interval;
}

/// After a beat that came much too late (a stopped process, a frozen container) a small difference
/// may stand for a large one.
std::optional<Gap> Counter::overrun(MonoTime now) const {
  const auto turn = info_->turn();
  if (!turn) return std::nullopt;
  const Gap gap = missing(*info_, baseline_->at, now, GapCause::overrun);
  return gap.bound < *turn ? std::nullopt : std::optional(gap);
}

/// What may be missing at `now` because the counter has stood still.
std::optional<Gap> Counter::stall(MonoTime now) const {
  // Processors never use nothing; another domain may, unless it has been seen to use something.
  const bool always_moves =
      info_->domain.kind == DomainKind::package || info_->domain.kind == DomainKind::psys;
  const bool has_moved = paced_time_ > Duration::zero();
  if (info_->method != Method::measured || !(always_moves || has_moved)) return std::nullopt;
  const Duration limit = std::max(kStallAfter, 10 * info_->update_period);
  if (now - baseline_->changed_at <= limit) return std::nullopt;
  return missing(*info_, baseline_->changed_at, now, GapCause::stalled);
}

std::optional<Gap> Counter::unresolved(MonoTime now) const {
  const auto last_good = baseline_ ? std::optional(baseline_->at) : std::nullopt;
  if (const auto absent = absence_.unresolved(last_good, now)) return absent;
  return baseline_ ? stall(now) : std::nullopt;
}

void Counter::rebase(MonoTime at) {
  baseline_.reset();
  absence_.begin(at);
}

}  // namespace codecarbon
