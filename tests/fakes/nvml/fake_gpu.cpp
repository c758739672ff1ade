#include "fake_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace fake_nvml {
namespace {

using codecarbon::Quantity;
using codecarbon::ReadFault;
namespace simulated = codecarbon::simulated;

/// Takes what a dial shows over, in units of `unit`. A garbled answer is a success with a number
/// that cannot be true, as a driver gives it.
template <class T>
nvmlReturn_t take(const simulated::Dial::Shown& shown, std::int64_t unit, T& value) {
  if (shown) {
    value = static_cast<T>(*shown / unit);
    return NVML_SUCCESS;
  }
  switch (shown.error()) {
    case ReadFault::garbage:
      value = std::numeric_limits<T>::max();
      return NVML_SUCCESS;
    case ReadFault::empty:
      return NVML_ERROR_TIMEOUT;
    case ReadFault::gone:
      return NVML_ERROR_GPU_IS_LOST;
    case ReadFault::unreadable:
      break;
  }
  return NVML_ERROR_UNKNOWN;
}

Process read_process(const nlohmann::json& process) {
  return {process.at("pid"), process.value("memory_mib", 0ULL) << 20U,
          process.value("sm_percent", 0U), process.value("graphics", false)};
}

}  // namespace

GpuFacts read_facts(const nlohmann::json& gpu, unsigned int index) {
  GpuFacts facts;
  facts.uuid = gpu.value("uuid", fmt::format("GPU-{:08x}-0000-4000-8000-000000000000", index));
  facts.bus = gpu.value("bus", 0x10 + index);
  facts.pci_device = gpu.value("pci_device", facts.pci_device);
  facts.architecture = gpu.value("architecture", facts.architecture);
  facts.limit_w = gpu.value("limit_w", facts.limit_w);
  facts.virtual_gpu = gpu.value("virtual", false);
  facts.instances = gpu.value("mig", facts.instances);
  const auto answers = gpu.value("answers", nlohmann::json::object());
  for (const auto& [function, code] : answers.items()) {
    facts.answers[function] = static_cast<nvmlReturn_t>(code.get<int>());
  }
  for (const auto& process : gpu.value("processes", nlohmann::json::array())) {
    facts.processes.push_back(read_process(process));
  }
  return facts;
}

FakeGpu::FakeGpu(const simulated::Gpu& script, GpuFacts facts)
    : script_(script), facts_(std::move(facts)), energy_(make_energy_dial(script.energy)) {
  const auto& faults = script.energy.faults;
  if (script.utilization) utilization_ = make_utilization_dial(*script.utilization, faults);
  if (script.memory) memory_ = make_memory_dial(script.memory->used, faults);
}

bool FakeGpu::lost(Duration t) const {
  return std::any_of(script_.energy.faults.begin(), script_.energy.faults.end(),
                     [&](const simulated::Fault& fault) {
                       return fault.kind == simulated::FaultKind::disappear && fault.from <= t &&
                              t < fault.to;
                     });
}

nvmlReturn_t FakeGpu::energy_mj(Duration t, unsigned long long& value) {
  if (script_.energy.quantity != Quantity::energy) return NVML_ERROR_NOT_SUPPORTED;
  return take(energy_->show(t), 1000, value);
}

nvmlReturn_t FakeGpu::power_mw(Duration t, unsigned int& value) {
  if (script_.energy.quantity == Quantity::power) return take(energy_->show(t), 1000, value);
  value = static_cast<unsigned int>(script_.energy.power.at(t) / 1000);
  return NVML_SUCCESS;
}

nvmlReturn_t FakeGpu::utilization(Duration t, nvmlUtilization_t& value) {
  if (!utilization_ || !facts_.instances.empty()) return NVML_ERROR_NOT_SUPPORTED;
  return take(utilization_->show(t), 10'000, value.gpu);
}

nvmlReturn_t FakeGpu::memory(Duration t, nvmlMemory_t& value) {
  if (!memory_) return NVML_ERROR_NOT_SUPPORTED;
  value.total = static_cast<unsigned long long>(script_.memory->total);
  const nvmlReturn_t code = take(memory_->show(t), 1, value.used);
  value.free = value.total - std::min(value.total, value.used);
  return code;
}

}  // namespace fake_nvml
