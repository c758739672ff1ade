#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "readings/gpu_choice.hpp"
#include "readings/sensor.hpp"

namespace codecarbon {

/// The column that a sensor's energy is counted in.
enum class Component { cpu, gpu, ram };

std::string_view to_string(Component component);

struct SelectionPolicy {
  bool include_dram = true;
  bool prefer_psys = false;
  bool force_cpu_load = false;  ///< the model instead of the processors' counters
  /// Missing: those of `visible`; empty: none.
  std::optional<std::vector<std::string>> gpu_ids;
  VisibleDevices visible;
};

/// What a sensor is used for. Neither `component`, `usage` nor `node`: passed over for `reason`.
struct Use {
  std::optional<Component> component;
  bool usage = false;
  std::string reason;
  bool node = false;  ///< the meter of the whole machine: a figure beside the components

  bool gives_energy() const { return component || node; }
  bool is_used() const { return component || usage || node; }
};

/// One sensor that is in use, in the order of the indices of a Ledger.
struct UsedSensor {
  const SensorInfo* info;
  Use use;
};

/// Decides which sensors are summed, so that each joule is counted once: only roots of the tree
/// psys > package > core, uncore; one sensor a domain, the first in order of preference; DRAM once,
/// measured DRAM in place of the RAM model; a meter of all processors or all memory where their
/// parts have none; a model only where nothing was measured; a forced value in place of everything.
/// A meter of the whole node is read beside them and never added. `sensors` are in order of
/// preference. Pure. One Use per sensor.
std::vector<Use> select_sensors(std::span<const SensorInfo* const> sensors,
                                const SelectionPolicy& policy);

/// What gpu_ids or a variable of the environment names and no sensor answers to.
std::vector<std::string> unknown_gpu_ids(std::span<const SensorInfo* const> sensors,
                                         const SelectionPolicy& policy);

}  // namespace codecarbon
