#pragma once

#include "host/host.hpp"
#include "readings/probe.hpp"

namespace codecarbon::process {

/// Finds out how the CPU time of the tracked processes can be had, as finely as this machine and
/// the rights of this process allow, and says why not finer. Without `settings.processes` nothing
/// is looked at. Has no probes.
Discovery discover(const Host& host, const SensorSettings& settings);

}  // namespace codecarbon::process
