#pragma once

#include <optional>
#include <variant>

#include "readings/counter.hpp"
#include "readings/power_integrator.hpp"
#include "readings/selection.hpp"

namespace codecarbon {

/// What turns one energy sensor's readings into intervals, whichever kind of sensor it is.
class EnergyMeter {
 public:
  /// `info` must outlive the meter.
  explicit EnergyMeter(const SensorInfo& info) : kind_(make(info)) {}

  bool suspicious(const Reading& reading) const {
    return std::visit([&](const auto& kind) { return kind.suspicious(reading); }, kind_);
  }
  std::optional<Interval> advance(const Reading& reading) {
    return std::visit([&](auto& kind) { return kind.advance(reading); }, kind_);
  }
  std::optional<Gap> unresolved(MonoTime now) const {
    return std::visit([&](const auto& kind) { return kind.unresolved(now); }, kind_);
  }
  void rebase(MonoTime at) {
    std::visit([at](auto& kind) { kind.rebase(at); }, kind_);
  }

 private:
  using Kind = std::variant<Counter, PowerIntegrator>;
  static Kind make(const SensorInfo& info) {
    if (info.quantity == Quantity::power) return PowerIntegrator(info);
    return Counter(info);
  }
  Kind kind_;
};

}  // namespace codecarbon
