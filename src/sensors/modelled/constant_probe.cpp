#include "sensors/modelled/constant_probe.hpp"

#include <utility>

namespace codecarbon::modelled {

ConstantProbe::ConstantProbe(SensorInfo info, Power power, std::shared_ptr<const Clock> clock)
    : info_(std::move(info)), power_(power), clock_(std::move(clock)), start_(clock_->now()) {}

void ConstantProbe::read(std::span<Reading> readings) {
  const MonoTime now = clock_->now();
  readings[0] = {now, RunningEnergy().uj_with(power_, now - start_)};
}

}  // namespace codecarbon::modelled
