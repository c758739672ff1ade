#pragma once

#include "host/host.hpp"
#include "readings/probe.hpp"

namespace codecarbon::battery {

/// The batteries of the machine (sys/class/power_supply): while it runs on them the power that they
/// give is that of the whole machine. A sensor only where that is so now; when the machine is
/// plugged in later there are no readings until it is unplugged. Batteries of mice and the like are
/// none of the machine's.
Discovery discover(const Host& host, const SensorSettings& settings);

}  // namespace codecarbon::battery
