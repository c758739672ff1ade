#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "codecarbon/clock.hpp"
#include "codecarbon/units.hpp"
#include "sensors/modelled/power_model.hpp"

namespace codecarbon::modelled {

/// A sum of powers held for times, exact to far below a microjoule: only what is shown is rounded.
class RunningEnergy {
 public:
  void add(Power power, Duration time) { total_ += product(power, time); }
  std::int64_t uj() const { return rounded(total_); }
  /// As if `power` had been held for `time` on top.
  std::int64_t uj_with(Power power, Duration time) const {
    return rounded(total_ + product(power, time));
  }

 private:
  __extension__ using Wide = __int128;  // microwatts x nanoseconds
  static Wide product(Power power, Duration time) {
    return static_cast<Wide>(power.uw()) * static_cast<Wide>(time.count());
  }
  static std::int64_t rounded(Wide value) {
    constexpr Wide kPerMicrojoule = 1'000'000'000;
    return static_cast<std::int64_t>((value + kPerMicrojoule / 2) / kPerMicrojoule);
  }
  Wide total_ = 0;
};

/// The energy counter of the load model, of processors whose power is `curve`. A stretch of time is
/// settled once its load is known; until then the last known load stands in for it. What that
/// overstated is taken back by standing still: the counter never falls. Pure; one thread at a time.
class LoadEnergy {
 public:
  LoadEnergy(PowerCurve curve, double first_load, MonoTime start)
      : curve_(curve), power_(curve.at(first_load)), settled_until_(start) {}

  /// The load was `load` from the last settled moment until `now`, and the cores ran at `clock`
  /// (see PowerCurve::at).
  void settle(double load, std::optional<double> clock, MonoTime now) {
    power_ = curve_.at(load, clock);
    settled_.add(power_, now - settled_until_);
    settled_until_ = now;
  }

  std::int64_t total_uj(MonoTime now) {
    const auto open = std::max(now - settled_until_, Duration::zero());
    shown_uj_ = std::max(shown_uj_, settled_.uj_with(power_, open));
    return shown_uj_;
  }

 private:
  PowerCurve curve_;
  Power power_;  // of the last load that is known
  MonoTime settled_until_;
  RunningEnergy settled_;
  std::int64_t shown_uj_ = 0;
};

}  // namespace codecarbon::modelled
