#pragma once

#include "host/host.hpp"
#include "readings/probe.hpp"

namespace codecarbon::simulated {

/// The machine that `settings.machine_file` describes, from now on; nothing at all if none is
/// named. A file that is not acceptable is a finding; who wants the error asks
/// SimulatedMachine::load.
Discovery discover(const Host& host, const SensorSettings& settings);

}  // namespace codecarbon::simulated
