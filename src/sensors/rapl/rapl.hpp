#pragma once

#include "host/host.hpp"
#include "readings/probe.hpp"

namespace codecarbon::rapl {

/// Energy counters of Intel and AMD processors as the Linux powercap tree shows them
/// (sys/class/powercap/intel-rapl*). Every counter that can be read is a sensor of one probe, with
/// the place it belongs to; which of them are summed is not decided here. So is one that cannot be
/// read yet while others like it can: the time until then is a gap, never a silent zero. Counters
/// read through registers of the processor come before copies read through memory
/// (intel-rapl-mmio). Dies of one socket that show one and the same counter are one sensor.
Discovery discover(const Host& host, const SensorSettings& settings);

}  // namespace codecarbon::rapl
