#include "tracker/system_facts.hpp"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "host/machine_facts.hpp"
#include "units/gigabytes.hpp"

namespace codecarbon {
namespace {

/// As Python's platform.platform() writes it, which is what readers of this column know.
std::string operating_system(const utsname& names) {
  return fmt::format("{}-{}-{}-with-glibc{}", names.sysname, names.release, names.machine,
                     gnu_get_libc_version());
}

/// Memory that a container or a job may use, as its model knows it; missing where there is none.
std::optional<std::int64_t> memory_allowed(const Equipment& equipment) {
  std::optional<std::int64_t> least;
  for (const SensorInfo* sensor : equipment.sensors()) {
    if (sensor->domain.kind != DomainKind::ram || sensor->memory_total <= 0) continue;
    least = std::min(least.value_or(sensor->memory_total), sensor->memory_total);
  }
  return least;
}

MachineDescription read_machine(const Host& host, const Equipment& equipment) {
  CpuIdentity cpu = read_cpu_identity(host);
  const auto allowed = memory_allowed(equipment);
  return {cpu.logical, std::move(cpu.model), allowed ? allowed : memory_total_bytes(host)};
}

/// One name per device that is in use.
std::map<int, std::string> gpu_names(const Equipment& equipment) {
  std::map<int, std::string> names;
  for (const SensorInfo* sensor : equipment.sensors_in_use()) {
    if (sensor->domain.kind != DomainKind::gpu) continue;
    names.emplace(sensor->domain.index, sensor->domain.name);
  }
  return names;
}

/// "8 x NVIDIA H100" or "1 x A, 2 x B".
std::string gpu_model(const std::map<int, std::string>& names) {
  std::map<std::string, int> counts;
  for (const auto& [index, name] : names) ++counts[name];
  std::string text;
  for (const auto& [name, count] : counts) {
    text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", count, name);
  }
  return text;
}

}  // namespace

SystemReport describe_system(const Host& host, const Equipment& equipment) {
  SystemReport system;
  const MachineDescription machine =
      equipment.played ? *equipment.played : read_machine(host, equipment);
  system.cpu_model = machine.cpu_model;
  system.cpu_count = machine.cpu_count;
  if (machine.ram_bytes) system.ram_total_gb = gigabytes(static_cast<double>(*machine.ram_bytes));
  utsname names{};
  if (::uname(&names) == 0) {
    system.os = operating_system(names);
    system.host = names.nodename;
  }
  const auto gpus = gpu_names(equipment);
  system.gpu_count = static_cast<int>(gpus.size());
  system.gpu_model = gpu_model(gpus);
  return system;
}

}  // namespace codecarbon
