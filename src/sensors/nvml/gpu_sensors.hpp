#pragma once

#include <optional>
#include <vector>

#include "readings/probe.hpp"
#include "sensors/nvml/nvml_device.hpp"

namespace codecarbon::nvml {

/// Which sensors a GPU has, and what is wrong with it.
struct GpuSensors {
  std::vector<SensorInfo> sensors;
  std::optional<Return> trouble;  ///< it cannot be read now, though it should be
  /// How its energy is had: by a counter or a power reading, even if not now, else by the model;
  /// missing where there is not even a limit of its power.
  std::optional<Method> method;
};

/// The GPU's place and identity. Bus address and UUID are empty when it does not say.
Domain identify(const NvmlDevice& device, int index);

/// Asks once for each quantity. One that fails for now is a sensor all the same, so that the time
/// until it answers is a gap; one that the GPU does not have is none.
GpuSensors find_sensors(const NvmlDevice& device, const Domain& domain);

}  // namespace codecarbon::nvml
