#include "sensors/nvml/nvml.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sensors/nvml/explain.hpp"
#include "sensors/nvml/gpu_sensors.hpp"
#include "sensors/nvml/nvml_probe.hpp"

namespace codecarbon::nvml {
namespace {

// More than any machine has; against a driver that answers nonsense.
constexpr unsigned int kMostGpus = 1024;

std::string subject_of(const Domain& domain) {
  return domain.uuid.empty()
             ? fmt::format("{} (GPU {})", domain.name, domain.index)
             : fmt::format("{} (GPU {}, {})", domain.name, domain.index, domain.uuid);
}

/// Where the GPU's energy comes from, and what is to be known of it.
std::string found_subject(const SensorInfo& sensor, const std::string& driver) {
  std::string text = fmt::format("{} ({}", sensor.domain.name, sensor.source);
  if (!driver.empty()) text += ", " + driver;
  if (!sensor.domain.instances.empty()) {
    text += fmt::format("; the whole GPU, all of its MIG instances: {}",
                        fmt::join(sensor.domain.instances, ", "));
  }
  return text + ")";
}

bool is_virtual(const NvmlDevice& device) {
  return device.virtualization_mode() == VirtualizationMode::vgpu;
}

Finding judge(const NvmlDevice& device, const Domain& domain, const GpuSensors& gpu) {
  if (gpu.trouble) {
    return explain_device(subject_of(domain), *gpu.trouble, device.session().text(*gpu.trouble));
  }
  if (!gpu.method) return explain_no_reading(subject_of(domain), is_virtual(device));
  return {Finding::Outcome::found,
          found_subject(gpu.sensors.front(), device.session().driver()),
          {},
          {}};
}

void add_gpu(const std::shared_ptr<const Session>& session, unsigned int index,
             Discovery& discovery) {
  const auto device = NvmlDevice::at(session, index);
  if (!device) {
    discovery.findings.push_back(explain_device(fmt::format("NVIDIA GPU {}", index), device.error(),
                                                session->text(device.error())));
    return;
  }
  const Domain domain = identify(*device, static_cast<int>(index));
  GpuSensors gpu = find_sensors(*device, domain);
  discovery.findings.push_back(judge(*device, domain, gpu));
  if (gpu.method == Method::modelled) {
    discovery.findings.push_back(explain_no_reading(subject_of(domain), is_virtual(*device)));
  }
  const bool identified = !domain.uuid.empty() || !domain.bus_id.empty();
  if (gpu.sensors.empty() || (gpu.trouble && !identified)) return;
  discovery.probes.push_back(std::make_unique<NvmlProbe>(*device, std::move(gpu.sensors)));
}

}  // namespace

Discovery discover(const Host& host, const SensorSettings&) {
  Discovery discovery;
  const auto session = Session::open(host);
  if (!session) {
    discovery.findings.push_back(session.error());
    return discovery;
  }
  unsigned int count = 0;
  const Return code = (*session)->api().device_count(&count);
  if (code != Return::success || count == 0) {
    discovery.findings.push_back(
        code == Return::success
            ? Finding{Finding::Outcome::absent, "NVIDIA GPUs", "the driver lists none", {}}
            : explain_device("NVIDIA GPUs", code, (*session)->text(code)));
    return discovery;
  }
  for (unsigned int i = 0; i < std::min(count, kMostGpus); ++i) add_gpu(*session, i, discovery);
  return discovery;
}

}  // namespace codecarbon::nvml
