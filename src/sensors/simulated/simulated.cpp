#include "sensors/simulated/simulated.hpp"

#include "sensors/simulated/simulated_machine.hpp"

namespace codecarbon::simulated {
namespace {

MachineDescription describe(const Machine& machine) {
  MachineDescription played{machine.cpu.count, machine.cpu.model, std::nullopt};
  if (machine.ram) played.ram_bytes = machine.ram->total;
  return played;
}

}  // namespace

Result<Discovery> discover(const Host& host, const SensorSettings& settings) {
  Discovery discovery;
  if (settings.machine_file.empty()) return discovery;
  const auto machine = SimulatedMachine::load(settings.machine_file);
  if (!machine) {
    return fail(machine.error().kind, "machine: " + machine.error().message, "machine");
  }
  discovery.played = describe(machine->machine());
  discovery.probes = machine->probes(host.clock().now());
  for (const auto& probe : discovery.probes) {
    for (const SensorInfo& sensor : probe->sensors()) {
      discovery.findings.push_back(
          {Finding::Outcome::found, sensor.domain.name + " (" + sensor.source + ")", {}, {}});
    }
  }
  return discovery;
}

}  // namespace codecarbon::simulated
