#pragma once

#include <string>
#include <vector>

#include "host/host.hpp"
#include "readings/probe.hpp"
#include "sensors/amdsmi/gpu.hpp"

namespace codecarbon::amdsmi {

/// What one GPU can be asked for, and what became of its energy counter.
struct GpuSensors {
  std::vector<SensorInfo> sensors;  ///< perhaps none
  Finding finding;
  std::string bus_id;           ///< PCI address; empty if unknown
  bool counts_nothing = false;  ///< there is a counter, and it stands at zero
};

/// Asks once for everything. `index` is the number that `library` gives the GPU; the kernel's
/// files tell its name and unique id. A counter that fails now is a sensor all the same: the time
/// until it answers is a gap.
GpuSensors look_at(const Host& host, const std::string& library, const Gpu& gpu, int index);

}  // namespace codecarbon::amdsmi
