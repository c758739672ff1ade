#pragma once

#include <span>

#include "readings/probe.hpp"
#include "sensors/modelled/load_energy.hpp"

namespace codecarbon::modelled {

/// An energy counter that a constant power drives.
class ConstantProbe final : public Probe {
 public:
  /// It has counted since `start`.
  ConstantProbe(SensorInfo info, Power power, MonoTime start);
  std::span<const SensorInfo> sensors() const override { return {&info_, 1}; }
  void read(MonoTime tick, std::span<Reading> readings) override;

 private:
  SensorInfo info_;
  Power power_;
  MonoTime start_;
};

}  // namespace codecarbon::modelled
