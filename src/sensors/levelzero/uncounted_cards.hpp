#pragma once

#include <string>
#include <vector>

#include "host/host.hpp"

namespace codecarbon::levelzero {

/// PCI addresses of Intel's graphics cards that show no energy in sys/class/hwmon, ascending.
/// Graphics inside a processor, which is always on the first bus, is not among them.
std::vector<std::string> uncounted_cards(const Host& host);

}  // namespace codecarbon::levelzero
