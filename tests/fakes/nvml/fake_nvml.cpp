/// The functions of the library. Those that the header renames by macros (nvmlInit to nvmlInit_v2)
/// carry their version in the name here, too.

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "fake_machine.hpp"

namespace {

using fake_nvml::FakeGpu;
using fake_nvml::FakeMachine;

/// Which code a function is to answer with; NVML_SUCCESS lets it do its work.
using Chooser = unsigned int (*)(const char* function);

std::atomic<Chooser> chooser = nullptr;
fake_nvml::Hanger hanger;
std::mutex mutex;  // over all of the machine

/// The state of a C library lives as long as the library is loaded.
FakeMachine& machine() {
  static FakeMachine the = [] {
    Dl_info self{};
    ::dladdr(reinterpret_cast<const void*>(&nvmlShutdown), &self);
    return FakeMachine(std::filesystem::path(self.dli_fname).parent_path());
  }();
  return the;
}

nvmlReturn_t chosen(const char* function) {
  const Chooser choose = chooser;
  return choose == nullptr ? NVML_SUCCESS : static_cast<nvmlReturn_t>(choose(function));
}

/// What every call goes through: `body` does the work.
template <class Body>
nvmlReturn_t call(const char* function, Body body) {
  if (const auto code = chosen(function); code != NVML_SUCCESS) return code;
  const std::lock_guard lock(mutex);
  if (machine().users == 0) return NVML_ERROR_UNINITIALIZED;
  return body();
}

/// The same for one GPU.
template <class Body>
nvmlReturn_t call(const char* function, nvmlDevice_t device, Body body) {
  return call(function, [&]() -> nvmlReturn_t {
    if (!machine().knows(device)) return NVML_ERROR_INVALID_ARGUMENT;
    if (device->gpu->lost(machine().now())) device->stale = true;
    if (device->stale) return NVML_ERROR_GPU_IS_LOST;
    const auto& answers = device->gpu->facts().answers;
    if (const auto answer = answers.find(std::string_view(function)); answer != answers.end())
      return answer->second;
    return body(*device->gpu);
  });
}

/// And it may hang.
template <class Body>
nvmlReturn_t slow_call(const char* function, nvmlDevice_t device, Body body) {
  unsigned int number = 0;
  const auto code = call(function, [&] {
    if (!machine().knows(device)) return NVML_ERROR_INVALID_ARGUMENT;
    number = device->number;
    return NVML_SUCCESS;
  });
  if (code != NVML_SUCCESS) return code;
  hanger.pass(number);
  return call(function, device, body);
}

nvmlReturn_t copy(const std::string& text, char* to, unsigned int length) {
  if (text.size() + 1 > length) return NVML_ERROR_INSUFFICIENT_SIZE;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return NVML_SUCCESS;
}

/// A handle of the first GPU that `is_it`, if the driver has it.
template <class Is>
nvmlReturn_t find(nvmlDevice_t* device, Is is_it) {
  auto& gpus = machine().gpus();
  for (unsigned int i = 0; i < gpus.size(); ++i) {
    if (!is_it(i, gpus[i])) continue;
    if (gpus[i].lost(machine().now())) return NVML_ERROR_GPU_IS_LOST;
    const auto& answers = gpus[i].facts().answers;
    const auto answer = answers.find(std::string_view("nvmlDeviceGetHandleByIndex_v2"));
    if (answer != answers.end()) return answer->second;
    *device = machine().handle(i, gpus[i].facts().uuid);
    return NVML_SUCCESS;
  }
  return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t list_processes(const FakeGpu& gpu, bool graphics, unsigned int* count,
                            nvmlProcessInfo_t* infos) {
  const unsigned int room = *count;
  *count = 0;
  for (const auto& process : gpu.facts().processes) {
    if (process.graphics != graphics) continue;
    if (*count < room) infos[*count] = {process.pid, process.memory, ~0U, ~0U};
    ++*count;
  }
  return *count > room ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_SUCCESS;
}

}  // namespace

extern "C" {

void fake_nvml_set_time_ns(long long time_ns) {
  const std::lock_guard lock(mutex);
  machine().set_time(fake_nvml::Duration(time_ns));
}

void fake_nvml_hang(unsigned int gpu, bool hangs) {
  hanger.set(gpu, hangs);
}

void fake_nvml_answer_by(Chooser choose) {
  chooser = choose;
}

int fake_nvml_users() {
  const std::lock_guard lock(mutex);
  return machine().users;
}

nvmlReturn_t nvmlInit_v2(void) {
  if (const auto code = chosen(__func__); code != NVML_SUCCESS) return code;
  const std::lock_guard lock(mutex);
  if (machine().init_answer == NVML_SUCCESS) ++machine().users;
  return machine().init_answer;
}

nvmlReturn_t nvmlShutdown(void) {
  const std::lock_guard lock(mutex);
  if (machine().users == 0) return NVML_ERROR_UNINITIALIZED;
  --machine().users;
  return NVML_SUCCESS;
}

const char* nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
    case NVML_ERROR_DRIVER_NOT_LOADED:
      return "Driver Not Loaded";
    case NVML_ERROR_LIB_RM_VERSION_MISMATCH:
      return "Driver/library version mismatch";
    case NVML_ERROR_GPU_IS_LOST:
      return "GPU is lost";
    default:
      return "Some Error";
  }
}

nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned int length) {
  return call(__func__, [&] { return copy(machine().driver_version, version, length); });
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* count) {
  return call(__func__, [&] {
    *count = static_cast<unsigned int>(machine().gpus().size());
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
  return call(__func__, [&] {
    return find(device, [&](unsigned int i, const FakeGpu&) { return i == index; });
  });
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device) {
  return call(__func__, [&] {
    return find(device, [&](unsigned int, const FakeGpu& gpu) { return gpu.facts().uuid == uuid; });
  });
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, nvmlDevice_t* device) {
  unsigned int domain = 0;
  unsigned int bus = 0;
  if (std::sscanf(bus_id, "%x:%x:", &domain, &bus) != 2) return NVML_ERROR_INVALID_ARGUMENT;
  return call(__func__, [&] {
    return find(device, [&](unsigned int, const FakeGpu& gpu) { return gpu.facts().bus == bus; });
  });
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
  return call(__func__, device, [&](const FakeGpu& gpu) { return copy(gpu.name(), name, length); });
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned int length) {
  return call(__func__, device, [&](const FakeGpu&) { return copy(device->uuid, uuid, length); });
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  return call(__func__, device, [&](const FakeGpu& gpu) {
    const auto& facts = gpu.facts();
    *pci = {};
    pci->bus = facts.bus;
    pci->pciDeviceId = facts.pci_device << 16U | 0x10deU;
    std::snprintf(pci->busId, sizeof pci->busId, "00000000:%02X:00.0", facts.bus);
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device, nvmlDeviceArchitecture_t* arch) {
  return call(__func__, device, [&](const FakeGpu& gpu) {
    *arch = gpu.facts().architecture;
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetVirtualizationMode(nvmlDevice_t device,
                                             nvmlGpuVirtualizationMode_t* mode) {
  return call(__func__, device, [&](const FakeGpu& gpu) {
    *mode = gpu.facts().virtual_gpu ? NVML_GPU_VIRTUALIZATION_MODE_VGPU
                                    : NVML_GPU_VIRTUALIZATION_MODE_NONE;
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long* energy) {
  return slow_call(__func__, device,
                   [&](FakeGpu& gpu) { return gpu.energy_mj(machine().now(), *energy); });
}

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int* power) {
  return slow_call(__func__, device,
                   [&](FakeGpu& gpu) { return gpu.power_mw(machine().now(), *power); });
}

nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int* limit) {
  return call(__func__, device, [&](const FakeGpu& gpu) {
    *limit = gpu.facts().limit_w * 1000;
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t* utilization) {
  return slow_call(__func__, device,
                   [&](FakeGpu& gpu) { return gpu.utilization(machine().now(), *utilization); });
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  return slow_call(__func__, device,
                   [&](FakeGpu& gpu) { return gpu.memory(machine().now(), *memory); });
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int* count,
                                                     nvmlProcessInfo_t* infos) {
  return slow_call(__func__, device,
                   [&](FakeGpu& gpu) { return list_processes(gpu, false, count, infos); });
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device, unsigned int* count,
                                                      nvmlProcessInfo_t* infos) {
  return slow_call(__func__, device,
                   [&](FakeGpu& gpu) { return list_processes(gpu, true, count, infos); });
}

nvmlReturn_t nvmlDeviceGetProcessUtilization(nvmlDevice_t device,
                                             nvmlProcessUtilizationSample_t* samples,
                                             unsigned int* count, unsigned long long since) {
  return slow_call(__func__, device, [&](FakeGpu& gpu) -> nvmlReturn_t {
    const auto& processes = gpu.facts().processes;
    const auto now_us = static_cast<unsigned long long>(machine().now().count() / 1000);
    if (!gpu.facts().instances.empty()) return NVML_ERROR_NOT_SUPPORTED;
    if (processes.empty() || now_us <= since) return NVML_ERROR_NOT_FOUND;
    const bool fits = processes.size() <= *count;
    *count = static_cast<unsigned int>(processes.size());
    if (!fits) return NVML_ERROR_INSUFFICIENT_SIZE;
    for (const auto& process : processes) *samples++ = {process.pid, now_us, process.sm, 0, 0, 0};
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int* current,
                                  unsigned int* pending) {
  return call(__func__, device, [&](const FakeGpu& gpu) {
    *current = *pending = gpu.facts().instances.empty() ? 0 : 1;
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device, unsigned int* count) {
  return call(__func__, device, [&](const FakeGpu&) {
    *count = 7;
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t device, unsigned int index,
                                                 nvmlDevice_t* mig) {
  return call(__func__, device, [&](const FakeGpu& gpu) {
    const auto& instances = gpu.facts().instances;
    if (index >= instances.size() || instances[index].empty()) return NVML_ERROR_NOT_FOUND;
    *mig = machine().handle(device->number, instances[index]);
    return NVML_SUCCESS;
  });
}

}  // extern "C"
