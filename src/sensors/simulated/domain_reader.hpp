#pragma once

#include "sensors/simulated/json_place.hpp"
#include "sensors/simulated/machine.hpp"

namespace codecarbon::simulated {

DomainScript read_domain(const Place& place, Domain domain);

/// The same for a GPU, whose object holds memory and utilization too, and perhaps a name.
Gpu read_gpu(const Place& place);

/// `{"total_gib": ..., "used_gib": ...}`
MemoryScript read_memory(const Place& place);

}  // namespace codecarbon::simulated
