#pragma once

#include <string>
#include <vector>

#include "host/host.hpp"
#include "readings/sensor.hpp"

namespace codecarbon::gpu_hwmon {

/// One graphics device that a driver shows in sys/class/hwmon.
struct Card {
  std::string folder;  ///< below the host's root: "sys/class/hwmon/hwmon3"
  std::string driver;  ///< "amdgpu", "i915" or "xe"
  Domain domain;       ///< a GPU, numbered among its vendor's by PCI address
};

/// All of them, vendor by vendor. The parts of a card that drivers show beside it ("i915_gt0") are
/// not among them.
std::vector<Card> find_cards(const Host& host);

}  // namespace codecarbon::gpu_hwmon
