#pragma once

#include "host/host.hpp"
#include "readings/probe.hpp"

namespace codecarbon::gpu_hwmon {

/// Graphics cards as their kernel drivers show them in sys/class/hwmon, without any library of the
/// vendor: the energy counter of Intel's cards (i915, xe) and the power of AMD's (amdgpu). Each
/// card is a probe of its own. What is no card of its own is passed over, with the reason: graphics
/// inside a processor, whose power is in the processor's counters, and the second die of a card.
Discovery discover(const Host& host, const SensorSettings& settings);

}  // namespace codecarbon::gpu_hwmon
