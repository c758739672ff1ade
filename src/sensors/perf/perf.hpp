#pragma once

#include <memory>

#include "host/host.hpp"
#include "readings/probe.hpp"
#include "sensors/perf/kernel.hpp"

namespace codecarbon::perf {

/// Energy counters of Intel and AMD processors as the kernel's `power` event source shows them
/// (sys/bus/event_source/devices/power). The counters are those of the powercap tree, but they need
/// no file that only root may read: CAP_PERFMON, or kernel.perf_event_paranoid=0. One probe for a
/// socket, which reads all its counters with one call. Only the running kernel can be asked, so a
/// host with another root has none.
Discovery discover(const Host& host, const SensorSettings& settings);

/// The same with the calls handed in.
Discovery discover_with(const Host& host, std::shared_ptr<const Kernel> kernel);

}  // namespace codecarbon::perf
