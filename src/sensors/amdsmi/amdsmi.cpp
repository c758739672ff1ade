#include "sensors/amdsmi/amdsmi.hpp"

#include <memory>
#include <utility>

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

void add_gpus(const Host& host, Opened opened, Discovery& discovery) {
  int index = 0;
  for (auto& gpu : opened.gpus) {
    GpuSensors found = look_at(host, opened.library, *gpu, index++);
    discovery.findings.push_back(std::move(found.finding));
    if (found.sensors.empty()) continue;
    discovery.probes.push_back(
        std::make_unique<GpuProbe>(std::move(gpu), std::move(found.sensors)));
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
