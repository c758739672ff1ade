#pragma once

#include "host/host.hpp"
#include "readings/probe.hpp"

namespace codecarbon::modelled {

/// What can be said without counters. Energy: the processors' from their load, their clock and what
/// is known of them, the memory's from its modules or its size, each with the bound of its model; a
/// power that the user forced is constant and exact (forced_cpu_power with force_cpu_load is the
/// rated power that the load scales). Usage: processor load and used memory, whatever the energy
/// comes from. Where a container or a job limits the process to a part of the machine, all of this
/// is about that part; a power that was forced is taken as that of the part. Where /proc does not
/// say enough there is no sensor, and a finding says why.
Discovery discover(const Host& host, const SensorSettings& settings);

}  // namespace codecarbon::modelled
