#pragma once

#include <vector>

#include "host/host.hpp"
#include "sensors/hwmon/chip.hpp"
#include "sensors/hwmon/found.hpp"

namespace codecarbon::hwmon {

/// ACPI power meters (chips "power_meter"). Those with the labels of NVIDIA Grace measure a socket
/// and its parts. The only one without a label measures the whole machine at its supply; of several
/// it is not known what each of them sees.
void add_power_meters(const Host& host, const std::vector<Chip>& meters, Found& found);

}  // namespace codecarbon::hwmon
