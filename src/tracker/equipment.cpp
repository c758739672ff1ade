#include "tracker/equipment.hpp"

#include <utility>

#include "sensors/all.hpp"
#include "sensors/simulated/simulated_machine.hpp"
#include "tracker/system_facts.hpp"

namespace codecarbon {
namespace {

SensorSettings sensor_settings(const Options& options) {
  const auto power = [](const std::optional<double>& power_w) {
    return power_w ? std::optional(Power::from_watts(*power_w)) : std::nullopt;
  };
  SensorSettings settings;
  settings.include_dram = *options.rapl_include_dram;
  settings.prefer_psys = *options.rapl_prefer_psys;
  settings.force_cpu_load = *options.force_mode_cpu_load;
  settings.forced_cpu_power = power(options.force_cpu_power);
  settings.forced_ram_power = power(options.force_ram_power);
  settings.machine_file = options.machine.value_or("");
  return settings;
}

SelectionPolicy selection_policy(const Options& options) {
  SelectionPolicy policy;
  policy.include_dram = *options.rapl_include_dram;
  policy.prefer_psys = *options.rapl_prefer_psys;
  policy.force_cpu_load = *options.force_mode_cpu_load;
  policy.gpu_ids = options.gpu_ids;
  return policy;
}

/// What the simulated machine says of itself; nothing when none is named.
Result<std::optional<SystemReport>> load_machine(const SensorSettings& settings) {
  if (settings.machine_file.empty()) return std::nullopt;
  const auto loaded = simulated::SimulatedMachine::load(settings.machine_file);
  if (!loaded) return fail(loaded.error().kind, "machine: " + loaded.error().message, "machine");
  const simulated::Machine& machine = loaded->machine();
  SystemReport system;
  system.cpu_model = machine.cpu.model;
  system.cpu_count = machine.cpu.count;
  if (machine.ram) system.ram_total_gb = gigabytes(machine.ram->total);
  return system;
}

/// A simulated machine replaces the real one whole: below a root that is no folder there is nothing
/// for the other back-ends to find.
Host without_files(const Host& host, const SensorSettings& settings) {
  return Host(settings.machine_file, host.environment(), host.shared_clock());
}

std::string use_of(const Use& use) {
  if (use.component) return std::string(to_string(*use.component));
  return use.usage ? "usage" : "";
}

}  // namespace

std::vector<const SensorInfo*> Equipment::sensors() const {
  std::vector<const SensorInfo*> sensors;
  for (const auto& probe : probes) {
    for (const SensorInfo& info : probe->sensors()) sensors.push_back(&info);
  }
  return sensors;
}

std::vector<const SensorInfo*> Equipment::sensors_in_use() const {
  std::vector<const SensorInfo*> used;
  const auto all = sensors();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (uses[i].component || uses[i].usage) used.push_back(all[i]);
  }
  return used;
}

Result<Equipment> find_equipment(const Host& host, const Options& options) {
  Equipment equipment;
  const SensorSettings settings = sensor_settings(options);
  if (auto machine = load_machine(settings); !machine) {
    return tl::unexpected(std::move(machine.error()));
  } else {
    equipment.simulated_system = std::move(*machine);
  }
  const Host seen = equipment.simulated_system ? without_files(host, settings) : host;
  for (const BackEnd& back_end : all_back_ends()) {
    Discovery discovery = back_end.discover(seen, settings);
    equipment.back_ends.push_back(
        {std::string(back_end.name), std::string(back_end.summary), std::move(discovery.findings)});
    for (auto& probe : discovery.probes) equipment.probes.push_back(std::move(probe));
  }
  const SelectionPolicy policy = selection_policy(options);
  const auto sensors = equipment.sensors();
  equipment.uses = select_sensors(sensors, policy);
  equipment.unknown_gpu_ids = unknown_gpu_ids(sensors, policy);
  return equipment;
}

std::vector<SensorDiagnosis> describe_sensors(const Equipment& equipment) {
  std::vector<SensorDiagnosis> described;
  const auto sensors = equipment.sensors();
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    const Use& use = equipment.uses[i];
    described.push_back(
        {sensors[i]->domain.name, sensors[i]->source, sensors[i]->method, use_of(use), use.reason});
  }
  return described;
}

}  // namespace codecarbon
