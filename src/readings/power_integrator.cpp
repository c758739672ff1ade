#include "readings/power_integrator.hpp"

#include <cstdlib>

namespace codecarbon {

bool PowerIntegrator::is_fault(const Reading& reading) const {
  if (!reading.value || *reading.value < 0) return true;
  // A device that uses power does not stop using any; a gauge that fails may show nothing but zero.
  if (*reading.value == 0 && last_ && last_->power_uw > 0) return true;
  return *reading.value > info_->plausible_power.uw();
}

bool PowerIntegrator::suspicious(const Reading& reading) const {
  return !absence_.is_faulty() && is_fault(reading);
}

Energy PowerIntegrator::total() const {
  constexpr Wide kPerMicrojoule = 2'000'000'000;  // doubled, and a second of nanoseconds
  return Energy::from_uj(
      static_cast<std::int64_t>((doubled_total_ + kPerMicrojoule / 2) / kPerMicrojoule));
}

std::optional<Interval> PowerIntegrator::advance(const Reading& reading) {
  const bool fault = is_fault(reading);
  const bool missed = absence_.note(fault);
  if (fault) return std::nullopt;
  const Sample now{reading.at, *reading.value};
  if (!last_) {
    last_ = now;
    return absence_.end(now.at);
  }
  const Sample before = *last_;
  last_ = now;
  const Duration length = now.at - before.at;
  const Energy so_far = total();
  doubled_total_ += (static_cast<Wide>(before.power_uw) + now.power_uw) * length.count();
  Interval interval{before.at, now.at, total() - so_far, Energy{}, std::nullopt};
  // Between two samples the power may have been anything between them, to first order.
  interval.bound = Power::from_uw(std::abs(now.power_uw - before.power_uw) / 2) * length +
                   interval.energy * info_->relative_bound;
  if (missed) interval.gap = missing(*info_, before.at, now.at, GapCause::unreadable);
  return interval;
}

std::optional<Gap> PowerIntegrator::unresolved(MonoTime now) const {
  return absence_.unresolved(last_ ? std::optional(last_->at) : std::nullopt, now);
}

void PowerIntegrator::rebase(MonoTime at) {
  last_.reset();
  absence_.begin(at);
}

}  // namespace codecarbon
