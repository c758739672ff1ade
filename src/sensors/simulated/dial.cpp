#include "sensors/simulated/dial.hpp"

#include <algorithm>
#include <limits>

#include "sensors/simulated/faults.hpp"

namespace codecarbon::simulated {
namespace {

Duration last_update(Duration t, Duration period) {
  return period > Duration::zero() ? t - t % period : t;
}

std::int64_t saturate(Wide value) {
  using Limits = std::numeric_limits<std::int64_t>;
  return static_cast<std::int64_t>(std::clamp<Wide>(value, Limits::min(), Limits::max()));
}

class CounterDial final : public Dial {
 public:
  explicit CounterDial(const DomainScript& script)
      : power_(script.power),
        faults_(script.faults),
        update_period_(script.update_period),
        start_uj_(script.start.uj()),
        range_uj_(script.range ? script.range->uj() : 0),
        resolution_uj_(script.resolution.uj()) {}

  Shown show(Duration t) override {
    if (const auto answer = faults_.answer(t)) return *answer;
    const Wide steps = count(last_update(faults_.seen_at(t), update_period_)) / resolution_uj_;
    const Wide total = steps * resolution_uj_;
    const std::int64_t shown = saturate(range_uj_ > 0 ? total % range_uj_ : total);
    // A glitch is a wrong answer and not a wrong count, so no range keeps it within bounds.
    return saturate(static_cast<Wide>(shown) + faults_.take_glitch(t));
  }

 private:
  /// Without range and resolution: what has been counted since the last reset, or ever.
  Wide count(Duration t) const {
    if (const auto reset = faults_.last_reset(t)) return counted(t) - counted(*reset);
    return start_uj_ + counted(t);
  }

  Wide counted(Duration t) const {
    Wide energy_uj = energy_uj_until(power_, t);
    faults_.stuck_before(t, [&](Duration from, Duration to) {
      energy_uj -= energy_uj_until(power_, to) - energy_uj_until(power_, from);
    });
    return energy_uj;
  }

  Profile power_;
  Faults faults_;
  Duration update_period_;
  std::int64_t start_uj_;
  std::int64_t range_uj_;  // 0: none
  std::int64_t resolution_uj_;
};

class GaugeDial final : public Dial {
 public:
  explicit GaugeDial(const DomainScript& script)
      : power_(script.power),
        faults_(script.faults),
        update_period_(script.update_period),
        averaging_(script.averaging) {}

  Shown show(Duration t) override {
    if (const auto answer = faults_.answer(t)) return *answer;
    const Duration seen = last_update(faults_.seen_at(t), update_period_);
    return power_.mean(seen - averaging_, seen) + faults_.take_glitch(t);
  }

 private:
  Profile power_;
  Faults faults_;
  Duration update_period_;
  Duration averaging_;
};

class UtilizationDial final : public Dial {
 public:
  UtilizationDial(const Profile& profile, Faults faults)
      : profile_(profile), faults_(std::move(faults)), last_(profile.at(Duration::zero())) {}

  Shown show(Duration t) override {
    if (const auto answer = faults_.answer(t)) return *answer;
    // Read twice in one moment: there is no stretch to take a mean of, so it is still the last.
    if (t > last_at_) last_ = profile_.mean(last_at_, t);
    last_at_ = t;
    return last_;
  }

 private:
  Profile profile_;
  Faults faults_;
  Duration last_at_{};
  std::int64_t last_;
};

class MemoryDial final : public Dial {
 public:
  MemoryDial(const Profile& profile, Faults faults)
      : profile_(profile), faults_(std::move(faults)) {}

  Shown show(Duration t) override {
    if (const auto answer = faults_.answer(t)) return *answer;
    return profile_.at(t);
  }

 private:
  Profile profile_;
  Faults faults_;
};

}  // namespace

std::unique_ptr<Dial> make_energy_dial(const DomainScript& script) {
  if (script.quantity == Quantity::power) return std::make_unique<GaugeDial>(script);
  return std::make_unique<CounterDial>(script);
}

std::unique_ptr<Dial> make_utilization_dial(const Profile& profile,
                                            const std::vector<Fault>& faults) {
  return std::make_unique<UtilizationDial>(profile, Faults::of_device(faults));
}

std::unique_ptr<Dial> make_memory_dial(const Profile& profile, const std::vector<Fault>& faults) {
  return std::make_unique<MemoryDial>(profile, Faults::of_device(faults));
}

}  // namespace codecarbon::simulated
