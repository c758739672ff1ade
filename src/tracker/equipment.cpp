#include "tracker/equipment.hpp"

#include <utility>

#include "sensors/discovery.hpp"

namespace codecarbon {
namespace {

SensorSettings sensor_settings(const Options& options) {
  const auto power = [](const std::optional<double>& power_w) {
    return power_w ? std::optional(Power::from_watts(*power_w)) : std::nullopt;
  };
  SensorSettings settings;
  settings.force_cpu_load = *options.force_mode_cpu_load;
  settings.forced_cpu_power = power(options.force_cpu_power);
  settings.forced_ram_power = power(options.force_ram_power);
  settings.machine_file = options.machine.value_or("");
  return settings;
}

VisibleDevices visible_devices(const Environment& environment) {
  const auto variable = [&](std::string_view name) {
    const auto text = environment.get(name);
    return text ? std::optional<std::string>(*text) : std::nullopt;
  };
  return {variable("CUDA_VISIBLE_DEVICES"), variable("ROCR_VISIBLE_DEVICES"),
          variable("HIP_VISIBLE_DEVICES"), variable("ZE_AFFINITY_MASK")};
}

SelectionPolicy selection_policy(const Options& options, const Host& host) {
  SelectionPolicy policy;
  policy.include_dram = *options.rapl_include_dram;
  policy.prefer_psys = *options.rapl_prefer_psys;
  policy.force_cpu_load = *options.force_mode_cpu_load;
  policy.gpu_ids = options.gpu_ids;
  policy.visible = visible_devices(host.environment());
  return policy;
}

/// For back-ends that may still say what the user decided, but not what the real machine has: below
/// what is no folder there are no files.
Host without_files(const Host& host) {
  return Host("/dev/null", host.environment(), host.shared_clock());
}

/// Of a machine that is played, what the real one lacks is nobody's concern.
void keep_what_was_found(Discovery& discovery) {
  std::erase_if(discovery.findings,
                [](const Finding& finding) { return finding.outcome != Finding::Outcome::found; });
}

void add(const BackEnd& back_end, Discovery discovery, Equipment& equipment) {
  const bool played = equipment.played.has_value();
  if (played) keep_what_was_found(discovery);
  if (discovery.processes) equipment.processes = std::move(discovery.processes);
  if (discovery.played) equipment.played = std::move(discovery.played);
  for (auto& probe : discovery.probes) {
    equipment.probes.push_back(std::move(probe));
    equipment.finders.push_back(back_end.name);
  }
  if (played && discovery.findings.empty()) return;
  equipment.back_ends.push_back(
      {std::string(back_end.name), std::string(back_end.summary), std::move(discovery.findings)});
}

Result<Discovery> ask_on_played_machine(const BackEnd& back_end, const Host& host,
                                        const SensorSettings& settings) {
  const bool real = back_end.kind == BackEnd::Kind::processes;
  return back_end.discover(real ? host : without_files(host), settings);
}

Status ask_all(const Host& host, const SensorSettings& settings, Equipment& equipment) {
  const auto all = all_back_ends();
  auto scripted = all.front().discover(host, settings);
  if (!scripted) return tl::unexpected(std::move(scripted.error()));
  add(all.front(), std::move(*scripted), equipment);

  const auto rest = all.subspan(1);
  std::vector<Result<Discovery>> found;
  if (equipment.played) {
    for (const auto& one : rest) found.push_back(ask_on_played_machine(one, host, settings));
  } else {
    found = discover_all(rest, host, settings);
  }
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (!found[i]) return tl::unexpected(std::move(found[i].error()));
    add(rest[i], std::move(*found[i]), equipment);
  }
  return {};
}

std::string use_of(const Use& use) {
  if (use.component) return std::string(to_string(*use.component));
  if (use.node) return "node";
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
    if (uses[i].is_used()) used.push_back(all[i]);
  }
  return used;
}

Result<Equipment> find_equipment(const Host& host, const Options& options,
                                 std::optional<TrackedProcesses> processes) {
  Equipment equipment;
  SensorSettings settings = sensor_settings(options);
  settings.processes = processes;
  if (auto asked = ask_all(host, settings, equipment); !asked) {
    return tl::unexpected(std::move(asked.error()));
  }
  const SelectionPolicy policy = selection_policy(options, host);
  const auto sensors = equipment.sensors();
  equipment.uses = select_sensors(sensors, policy);
  equipment.unknown_gpu_ids = unknown_gpu_ids(sensors, policy);
  return equipment;
}

std::vector<SensorDiagnosis> describe_sensors(const Equipment& equipment) {
  std::vector<SensorDiagnosis> described;
  auto use = equipment.uses.begin();
  for (std::size_t probe = 0; probe < equipment.probes.size(); ++probe) {
    for (const SensorInfo& info : equipment.probes[probe]->sensors()) {
      described.push_back({info.domain.name, std::string(equipment.finders[probe]), info.source,
                           info.method, use_of(*use), use->reason, info.quantity});
      ++use;
    }
  }
  return described;
}

}  // namespace codecarbon
