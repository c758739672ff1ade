#pragma once

#include "host/host.hpp"
#include "readings/probe.hpp"

namespace codecarbon::nvml {

/// NVIDIA GPUs by NVML, the library of the driver, which is loaded only if it is there. One probe
/// for each GPU: its energy counter (Volta and newer), else its power, with utilisation and memory
/// where the driver tells them. Energy is always of the whole GPU; the instances into which MIG
/// divides it are named by its domain. A GPU that cannot be read now but can be identified is a
/// sensor with a gap; what cannot even be identified is a finding. The calls of the driver may
/// hang.
Discovery discover(const Host& host, const SensorSettings& settings);

}  // namespace codecarbon::nvml
