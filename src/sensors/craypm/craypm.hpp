#pragma once

#include "host/host.hpp"
#include "readings/probe.hpp"

namespace codecarbon::craypm {

/// Energy counters of HPE Cray nodes (sys/cray/pm_counters), which the node's controller updates
/// ten times a second in whole joules: the whole node, and its processors, memory and accelerators.
/// When the controller restarts (`generation`, `startup`) they begin anew, which shows as a fall.
Discovery discover(const Host& host, const SensorSettings& settings);

}  // namespace codecarbon::craypm
