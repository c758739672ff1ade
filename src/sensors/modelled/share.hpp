#pragma once

#include "host/limits.hpp"
#include "sensors/modelled/rated_power.hpp"

namespace codecarbon::modelled {

/// The rated power of the part of the processors that `limits` leave, of `logical` in all: in
/// proportion to their number. What the rest of the machine does moves the power of that part too,
/// so its bound is the energy itself. Without a limit it is `machine` as it is.
RatedPower share_of(RatedPower machine, int logical, const ResourceLimits& limits);

}  // namespace codecarbon::modelled
