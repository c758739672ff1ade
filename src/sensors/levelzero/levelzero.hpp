#pragma once

#include "host/host.hpp"
#include "readings/probe.hpp"

namespace codecarbon::levelzero {

/// Graphics cards of Intel through the system management of Level Zero, where one of them shows no
/// energy in the kernel's files (kernels before 6.2, drivers from outside the kernel). The loader
/// brings the whole compute driver with it, so it is loaded for such cards only. Each is a probe of
/// its own.
Discovery discover(const Host& host, const SensorSettings& settings);

}  // namespace codecarbon::levelzero
