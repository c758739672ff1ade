#pragma once

#include <span>
#include <string>

#include "host/machine_facts.hpp"

namespace codecarbon::modelled {

/// What is known of the cores of an ARM machine.
struct ArmRating {
  std::string cores;        ///< "Cortex-A55 and Cortex-A76", for a person
  double watts_a_core = 0;  ///< rated, mean over the cores, their share of the rest included
  double idle_share = 0;    ///< of the rated power
};

/// Rates the cores of an ARM machine by their design and its board. Designs that are not in the
/// table count as 2 W a core.
ArmRating rate_arm(std::span<const ArmCores> cores, std::string_view board);

}  // namespace codecarbon::modelled
