#pragma once

#include <memory>
#include <span>

#include "readings/probe.hpp"
#include "sensors/modelled/load_energy.hpp"

namespace codecarbon::modelled {

/// An energy counter that a constant power drives.
class ConstantProbe final : public Probe {
 public:
  ConstantProbe(SensorInfo info, Power power, std::shared_ptr<const Clock> clock);
  std::span<const SensorInfo> sensors() const override { return {&info_, 1}; }
  void read(std::span<Reading> readings) override;

 private:
  SensorInfo info_;
  Power power_;
  std::shared_ptr<const Clock> clock_;
  MonoTime start_;
};

}  // namespace codecarbon::modelled
