#include "sensors/simulated/simulated.hpp"

#include "sensors/simulated/simulated_machine.hpp"

namespace codecarbon::simulated {
namespace {

Finding refused(const std::string& file, const Error& error) {
  const bool absent = error.kind == ErrorKind::missing_file;
  return {absent ? Finding::Outcome::absent : Finding::Outcome::unsupported, file, error.message,
          "name a machine file as docs/machine-file.md describes, or none"};
}

}  // namespace

Discovery discover(const Host& host, const SensorSettings& settings) {
  Discovery discovery;
  if (settings.machine_file.empty()) return discovery;
  const auto machine = SimulatedMachine::load(settings.machine_file);
  if (!machine) {
    discovery.findings.push_back(refused(settings.machine_file, machine.error()));
    return discovery;
  }
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
