#pragma once

#include "host/host.hpp"
#include "readings/probe.hpp"

namespace codecarbon::hwmon {

/// Chips of the kernel's hardware monitoring tree (sys/class/hwmon) that are known to measure a
/// processor, memory or the whole machine: ACPI power meters (NVIDIA Grace among them), amd_energy,
/// and the supply rails of NVIDIA Jetson boards. Others that show power or energy are never guessed
/// to be something; they are named with the reason.
Discovery discover(const Host& host, const SensorSettings& settings);

}  // namespace codecarbon::hwmon
