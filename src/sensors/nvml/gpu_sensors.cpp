#include "sensors/nvml/gpu_sensors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "readings/gpu_model.hpp"

namespace codecarbon::nvml {
namespace {

// The counter is brought up to date every 20 to 100 ms, by model (Yang, Adamek, Armour: "Part-time
// Power Measurements", arXiv 2312.02741, 2023, for the power that it sums).
constexpr Duration kUpdatePeriod = std::chrono::milliseconds(100);
constexpr auto kMillijoule = Energy::from_uj(1000);

// nvml.h, nvmlDeviceGetPowerUsage: the mean over a second on Ampere, except GA100, and newer; the
// power of the moment on GA100 and older.
constexpr Duration kMeanOfAmpere = std::chrono::seconds(1);
constexpr unsigned int kGa100 = 0x20;  // upper byte of the PCI device number: A100, A800, A30

enum class Have { yes, not_now, no };

Have have(Return code) {
  switch (code) {
    case Return::success:
      return Have::yes;
    case Return::not_supported:
    case Return::function_not_found:
      return Have::no;
    default:
      return Have::not_now;
  }
}

template <class T>
Return code_of(const Answer<T>& answer) {
  return answer ? Return::success : answer.error();
}

bool is_ga100(const NvmlDevice& device) {
  const auto pci = device.pci();
  return pci && pci->device_and_vendor >> 24U == kGa100;
}

Duration averaging(const NvmlDevice& device) {
  const auto architecture = device.architecture();
  // The function is younger than Volta and older than Ampere's first driver.
  if (!architecture || *architecture < architecture::kAmpere) return {};
  return *architecture == architecture::kAmpere && is_ga100(device) ? Duration{} : kMeanOfAmpere;
}

/// A limit holds over some time and is overstepped for moments, so twice as much is still possible.
Power plausible_power(const NvmlDevice& device) {
  const auto limit = device.power_limit_mw();
  if (!limit || *limit == 0) return SensorInfo{}.plausible_power;
  const auto twice = Power::from_uw(static_cast<std::int64_t>(*limit) * 2 * 1000);
  constexpr auto kLeast = Power::from_uw(100'000'000);
  return std::max(kLeast, twice);
}

SensorInfo describe(const Domain& domain, Quantity quantity, std::string_view call) {
  SensorInfo info;
  info.domain = domain;
  info.quantity = quantity;
  info.source = fmt::format("NVML {}, GPU {}", call, domain.index);
  info.update_period = kUpdatePeriod;
  return info;
}

SensorInfo energy_sensor(const NvmlDevice& device, const Domain& domain) {
  SensorInfo info = describe(domain, Quantity::energy, "nvmlDeviceGetTotalEnergyConsumption");
  info.resolution = kMillijoule;
  info.plausible_power = plausible_power(device);
  return info;
}

SensorInfo power_sensor(const NvmlDevice& device, const Domain& domain) {
  SensorInfo info = describe(domain, Quantity::power, "nvmlDeviceGetPowerUsage");
  info.averaging = averaging(device);
  info.plausible_power = plausible_power(device);
  return info;
}

/// What the model takes for the power of a GPU that shows none. Its utilisation is a sensor of its
/// own as well.
void find_model(const NvmlDevice& device, const Domain& domain, GpuSensors& found) {
  const auto limit = device.power_limit_mw();
  if (!limit || *limit == 0) return;
  const bool knows_use = have(code_of(device.utilization())) != Have::no;
  SensorInfo info = describe(domain, Quantity::power, knows_use ? "utilisation" : "power limit");
  info.source += fmt::format(", of {} W", *limit / 1000);
  info.method = Method::modelled;
  info.plausible_power = Power::from_uw(static_cast<std::int64_t>(*limit) * 1000);
  info.relative_bound = knows_use ? kGpuModelBound : kGpuGuessBound;
  found.method = Method::modelled;
  found.sensors.push_back(std::move(info));
}

/// The counter if there is one, else the power, else what the model says.
void find_energy(const NvmlDevice& device, const Domain& domain, GpuSensors& found) {
  const Return counter = code_of(device.energy_mj());
  const Return power = counter == Return::success ? counter : code_of(device.power_mw());
  const auto architecture = device.architecture();
  const bool old = architecture && *architecture < architecture::kVolta;
  if (have(counter) == Have::no && have(power) == Have::no) {
    return find_model(device, domain, found);
  }
  found.method = Method::measured;
  // A counter that fails for now is preferred to the power, unless the GPU is too old for one.
  const bool by_counter = have(counter) == Have::yes || (have(counter) == Have::not_now && !old);
  const Return chosen = by_counter ? counter : power;
  if (have(chosen) == Have::not_now) found.trouble = chosen;
  found.sensors.push_back(by_counter ? energy_sensor(device, domain)
                                     : power_sensor(device, domain));
}

void find_usage(const NvmlDevice& device, const Domain& domain, GpuSensors& found) {
  if (have(code_of(device.utilization())) != Have::no) {
    found.sensors.push_back(
        describe(domain, Quantity::utilization, "nvmlDeviceGetUtilizationRates"));
  }
  const auto memory = device.memory();
  if (have(code_of(memory)) == Have::no) return;
  SensorInfo info = describe(domain, Quantity::memory_used, "nvmlDeviceGetMemoryInfo");
  if (memory) {
    constexpr unsigned long long kMost = std::numeric_limits<std::int64_t>::max();
    info.memory_total = static_cast<std::int64_t>(std::min(memory->total, kMost));
  }
  found.sensors.push_back(std::move(info));
}

}  // namespace

Domain identify(const NvmlDevice& device, int index) {
  Domain domain{DomainKind::gpu, index, 0, {}};
  domain.name = device.name().value_or(fmt::format("NVIDIA GPU {}", index));
  domain.vendor = Vendor::nvidia;
  domain.uuid = device.uuid().value_or("");
  if (const auto pci = device.pci()) {
    domain.bus_id = fmt::format("{:04x}:{:02x}:{:02x}.0", pci->domain, pci->bus, pci->device);
  }
  if (device.mig_enabled()) domain.instances = device.mig_uuids();
  return domain;
}

GpuSensors find_sensors(const NvmlDevice& device, const Domain& domain) {
  GpuSensors found;
  find_energy(device, domain, found);
  find_usage(device, domain, found);
  return found;
}

}  // namespace codecarbon::nvml
