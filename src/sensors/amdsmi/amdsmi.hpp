#pragma once

#include "host/host.hpp"
#include "readings/probe.hpp"

namespace codecarbon::amdsmi {

/// GPUs of AMD through the vendor's library, AMD SMI or else ROCm SMI, where one is installed and
/// the amdgpu driver is loaded: energy counter, utilisation and memory, each GPU a probe of its own
/// and numbered as the library numbers it. A GPU whose counter has counted nothing has none here:
/// the second die of a card, whose energy is in the first die's counter, or a card without one,
/// whose power the kernel shows.
Discovery discover(const Host& host, const SensorSettings& settings);

}  // namespace codecarbon::amdsmi
