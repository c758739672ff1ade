#pragma once

#include "codecarbon/error.hpp"
#include "host/host.hpp"
#include "readings/probe.hpp"

namespace codecarbon::simulated {

/// The machine that `settings.machine_file` describes, from now on; nothing at all if none is
/// named. Fails when the file is not acceptable, as SimulatedMachine::load does.
Result<Discovery> discover(const Host& host, const SensorSettings& settings);

}  // namespace codecarbon::simulated
