#pragma once

#include <string_view>

#include "host/host.hpp"
#include "sensors/hwmon/chip.hpp"
#include "sensors/hwmon/found.hpp"

namespace codecarbon::hwmon {

/// Monitors of supply rails (chips ina3221) on NVIDIA Jetson boards, which show voltage and
/// current: the supply of the whole board, and that of the processors where it is one of its own.
void add_rails(const Host& host, const Chip& chip, Found& found);

}  // namespace codecarbon::hwmon
