#pragma once

#include <vector>

#include "sensors/simulated/json_place.hpp"
#include "sensors/simulated/machine.hpp"

namespace codecarbon::simulated {

/// The `faults` of a sensor of this quantity (energy or power), by ascending time.
std::vector<Fault> read_faults(const Place& place, Quantity quantity);

}  // namespace codecarbon::simulated
