#include "sensors/modelled/power_model.hpp"

#include <algorithm>
#include <cmath>

namespace codecarbon::modelled {
namespace {

constexpr double kReferenceNm = 14;

// Clocks beyond these are no clocks but faults of whoever reports them.
constexpr double kLeastClock = 0.05;
constexpr double kMostClock = 4;

Power part(Power whole, double share) {
  return Power::from_watts(whole.watts() * share);
}

Power busy_cores(const ProcessorFacts& facts) {
  if (facts.cores <= 0 || !facts.process_nm || !facts.base_ghz) {
    return part(facts.rated, kCoresShare);
  }
  return Power::from_watts(facts.cores * kCoreWatts *
                           std::pow(*facts.process_nm / kReferenceNm, kProcessExponent) *
                           std::pow(*facts.base_ghz, kClockExponent));
}

/// The chance that at least one of `threads` is busy when each of them is for `load` of the time.
double any_busy(double load, double threads) {
  return 1 - std::pow(1 - load, threads);
}

}  // namespace

PowerCurve::PowerCurve(const ProcessorFacts& facts)
    : idle_(part(facts.rated, facts.idle_share)),
      fabric_(part(facts.rated, facts.fabric_share)),
      cores_(busy_cores(facts)),
      most_(facts.rated),
      threads_(std::max(facts.cores * facts.threads_per_core, 1.0)),
      threads_per_core_(std::max(facts.threads_per_core, 1.0)) {}

Power PowerCurve::at(double load, std::optional<double> clock) const {
  const double held = std::clamp(load, 0.0, 1.0);
  const double threads = clock ? threads_per_core_ : (1 + threads_per_core_) / 2;
  const double speed =
      clock ? std::pow(std::clamp(*clock, kLeastClock, kMostClock), kClockExponent) : 1;
  return std::min(most_, idle_ + part(fabric_, any_busy(held, threads_)) +
                             part(cores_, any_busy(held, threads) * speed));
}

PowerCurve PowerCurve::scaled(double share) const {
  PowerCurve curve = *this;
  curve.idle_ = part(idle_, share);
  curve.fabric_ = part(fabric_, share);
  curve.cores_ = part(cores_, share);
  curve.most_ = part(most_, share);
  return curve;
}

}  // namespace codecarbon::modelled
