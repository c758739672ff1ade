#include "sensors/amdsmi/amdsmi.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sensors/amdsmi/gpu_probe.hpp"
#include "sensors/amdsmi/gpu_sensors.hpp"
#include "sensors/amdsmi/open_library.hpp"

namespace codecarbon::amdsmi {
namespace {

constexpr std::string_view kDriver = "sys/module/amdgpu";

Finding explain(const char* library, const Error& error) {
  const bool absent = error.kind == ErrorKind::missing_file;
  return {absent ? Finding::Outcome::absent : Finding::Outcome::unsupported, library, error.message,
          absent ? "install the package amd-smi-lib, for energy counters of AMD's GPUs" : ""};
}

bool has_counter(const GpuSensors& found) {
  return std::any_of(found.sensors.begin(), found.sensors.end(),
                     [](const SensorInfo& sensor) { return sensor.quantity == Quantity::energy; });
}

/// Those whose energy the counter of the first one holds: itself and the dies behind it that have
/// none.
std::optional<KfdUsers> users_of(const Host& host, std::span<const GpuSensors> gpus) {
  if (!has_counter(gpus[0])) return std::nullopt;
  std::vector<std::string> addresses;
  for (const GpuSensors& gpu : gpus) {
    if (!addresses.empty() && has_counter(gpu)) break;
    addresses.push_back(gpu.bus_id);
  }
  return KfdUsers::of(host, addresses);
}

/// A second die names the same card as the first, right behind it, and its counter stands at zero.
void join_dies(std::span<GpuSensors> gpus) {
  const Domain* meter = nullptr;
  for (GpuSensors& gpu : gpus) {
    if (gpu.sensors.empty()) continue;
    const Domain& domain = gpu.sensors.front().domain;
    if (has_counter(gpu)) {
      meter = &domain;
    } else if (gpu.counts_nothing && meter != nullptr && meter->name == domain.name) {
      for (SensorInfo& sensor : gpu.sensors) sensor.domain.metered_by = meter->index;
    }
  }
}

void add_gpus(const Host& host, Opened opened, Discovery& discovery) {
  std::vector<GpuSensors> found;
  for (const auto& gpu : opened.gpus) {
    found.push_back(look_at(host, opened.library, *gpu, static_cast<int>(found.size())));
  }
  join_dies(found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    discovery.findings.push_back(std::move(found[i].finding));
    if (found[i].sensors.empty()) continue;
    auto users = users_of(host, std::span(found).subspan(i));
    discovery.probes.push_back(std::make_unique<GpuProbe>(
        std::move(opened.gpus[i]), std::move(found[i].sensors), std::move(users)));
  }
}

/// True when the library shows GPUs.
bool add_library(const Host& host, const char* name, Result<Opened> opened, Discovery& discovery) {
  if (!opened) {
    discovery.findings.push_back(explain(name, opened.error()));
    return false;
  }
  if (opened->gpus.empty()) {
    discovery.findings.push_back(
        {Finding::Outcome::absent, opened->library, "it shows no GPU", {}});
    return false;
  }
  add_gpus(host, std::move(*opened), discovery);
  return true;
}

}  // namespace

Discovery discover(const Host& host, const SensorSettings&) {
  Discovery discovery;
  // Without the driver the libraries have nothing to say, and are not loaded to say it.
  if (!host.exists(kDriver)) {
    discovery.findings.push_back({Finding::Outcome::absent,
                                  host.resolve(kDriver).string(),
                                  "the driver of AMD's GPUs is not loaded",
                                  {}});
    return discovery;
  }
  if (!add_library(host, "AMD SMI", open_amd_smi(host), discovery)) {
    add_library(host, "ROCm SMI", open_rocm_smi(host), discovery);
  }
  return discovery;
}

}  // namespace codecarbon::amdsmi
