#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codecarbon/clock.hpp"
#include "codecarbon/error.hpp"
#include "readings/probe.hpp"
#include "readings/selection.hpp"
#include "sensors/simulated/machine.hpp"

namespace codecarbon::simulated {

/// A scripted machine that can be measured like a real one and, unlike one, knows what it really
/// uses. Times are machine time: zero is the moment of discovery. Immutable; cheap enough to copy;
/// thread-safe.
class SimulatedMachine {
 public:
  /// A file as docs/machine-file.md describes. The error names file, place, value and what is
  /// accepted.
  static Result<SimulatedMachine> load(const std::filesystem::path& file);
  static Result<SimulatedMachine> parse(std::string_view json, std::string name);

  const Machine& machine() const { return machine_; }

  /// What the domain used in [from, to), to the microjoule; nothing if the machine has no such
  /// domain. Only kind and index of `domain` matter.
  std::optional<Energy> true_energy(const Domain& domain, Duration from, Duration to) const;
  /// Packages in the cpu column, DRAM in ram, GPUs in gpu: each joule once.
  Energy true_component(Component component, Duration from, Duration to) const;
  Energy true_total(Duration from, Duration to) const;

  /// One probe per socket, one per GPU and one for the rest, each with its own memory of faults
  /// shown. `epoch` is the clock's time at machine time zero.
  std::vector<std::unique_ptr<Probe>> probes(MonoTime epoch) const;

 private:
  explicit SimulatedMachine(Machine machine) : machine_(std::move(machine)) {}
  std::vector<const DomainScript*> domains() const;

  Machine machine_;
};

}  // namespace codecarbon::simulated
