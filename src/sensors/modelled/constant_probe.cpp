#include "sensors/modelled/constant_probe.hpp"

#include <utility>

namespace codecarbon::modelled {

ConstantProbe::ConstantProbe(SensorInfo info, Power power, MonoTime start)
    : info_(std::move(info)), power_(power), start_(start) {}

void ConstantProbe::read(MonoTime tick, std::span<Reading> readings) {
  readings[0] = {tick, RunningEnergy().uj_with(power_, tick - start_)};
}

}  // namespace codecarbon::modelled
