#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codecarbon/error.hpp"
#include "codecarbon/options.hpp"
#include "host/host.hpp"
#include "readings/probe.hpp"
#include "readings/selection.hpp"
#include "tracker/diagnosis.hpp"

namespace codecarbon {

/// The sensors that were found, what each is used for, and what the back-ends said.
struct Equipment {
  std::vector<std::unique_ptr<Probe>> probes;
  std::vector<std::string_view> finders;  ///< one per probe: the name of its back-end
  std::vector<Use> uses;                  ///< one per sensor of all probes, in their order
  std::vector<BackEndDiagnosis> back_ends;
  std::vector<std::string> unknown_gpu_ids;
  std::optional<MachineDescription> played;  ///< missing on a real machine
  std::unique_ptr<ProcessSource> processes;  ///< empty: their share cannot be told, or need not be

  /// All sensors in the order of `uses`. They live as long as the probes.
  std::vector<const SensorInfo*> sensors() const;
  /// Those that are used for something.
  std::vector<const SensorInfo*> sensors_in_use() const;
};

/// Asks every back-end and decides what is summed. `options` are resolved; `processes` are those
/// whose share is told. Fails when the machine
/// file that they name is not one.
Result<Equipment> find_equipment(const Host& host, const Options& options,
                                 std::optional<TrackedProcesses> processes = std::nullopt);

/// One entry per sensor: its use, or why it is passed over.
std::vector<SensorDiagnosis> describe_sensors(const Equipment& equipment);

}  // namespace codecarbon
