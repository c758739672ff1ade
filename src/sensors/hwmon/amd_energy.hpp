#pragma once

#include "host/host.hpp"
#include "sensors/hwmon/chip.hpp"
#include "sensors/hwmon/found.hpp"

namespace codecarbon::hwmon {

/// Energy counters of AMD EPYC sockets (driver amd_energy, Linux 5.8 to 5.12 and out of tree):
/// "Esocket0" and so on. Its counters of single cores lie inside the socket and are left alone.
void add_amd_energy(const Host& host, const Chip& chip, Found& found);

}  // namespace codecarbon::hwmon
