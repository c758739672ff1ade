/// Holds nvml_api.hpp against the vendor's own header. All of it is checked by the compiler.

#include <gtest/gtest.h>
#include <nvml.h>

#include <cstddef>
#include <type_traits>

#include "sensors/nvml/nvml_api.hpp"
#include "sensors/nvml/nvml_fixture.hpp"

namespace codecarbon::nvml {
namespace {

/// Whether a value of one type is passed as one of the other is.
template <class Ours, class Theirs>
constexpr bool same_value() {
  if constexpr (std::is_same_v<Ours, Theirs>) {
    return true;
  } else if constexpr (std::is_enum_v<Ours> && std::is_enum_v<Theirs>) {
    return std::is_same_v<std::underlying_type_t<Ours>, std::underlying_type_t<Theirs>>;
  } else if constexpr (std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>) {
    using OursAt = std::remove_pointer_t<Ours>;
    using TheirsAt = std::remove_pointer_t<Theirs>;
    if constexpr (std::is_same_v<Ours, DeviceHandle>) {
      return std::is_same_v<Theirs, nvmlDevice_t>;
    } else if constexpr (std::is_class_v<OursAt> && std::is_class_v<TheirsAt>) {
      return sizeof(OursAt) == sizeof(TheirsAt) && alignof(OursAt) == alignof(TheirsAt);
    } else {
      return same_value<OursAt, TheirsAt>();
    }
  } else {
    return false;
  }
}

template <class Ours, class Theirs>
struct SameCall : std::false_type {};
template <class R1, class... A1, class R2, class... A2>
requires(sizeof...(A1) == sizeof...(A2)) struct SameCall<R1 (*)(A1...), R2 (*)(A2...)>
    : std::bool_constant<same_value<R1, R2>() && (same_value<A1, A2>() && ...)> {
};

#define SAME_CALL(ours, theirs) \
  static_assert(SameCall<decltype(Api::ours), decltype(&theirs)>::value)
SAME_CALL(init, nvmlInit_v2);
SAME_CALL(shutdown, nvmlShutdown);
SAME_CALL(device_count, nvmlDeviceGetCount_v2);
SAME_CALL(handle_by_index, nvmlDeviceGetHandleByIndex_v2);
SAME_CALL(error_string, nvmlErrorString);
SAME_CALL(driver_version, nvmlSystemGetDriverVersion);
SAME_CALL(handle_by_uuid, nvmlDeviceGetHandleByUUID);
SAME_CALL(handle_by_bus_id, nvmlDeviceGetHandleByPciBusId_v2);
SAME_CALL(name, nvmlDeviceGetName);
SAME_CALL(uuid, nvmlDeviceGetUUID);
SAME_CALL(pci_info, nvmlDeviceGetPciInfo_v3);
SAME_CALL(architecture, nvmlDeviceGetArchitecture);
SAME_CALL(virtualization_mode, nvmlDeviceGetVirtualizationMode);
SAME_CALL(total_energy, nvmlDeviceGetTotalEnergyConsumption);
SAME_CALL(power_usage, nvmlDeviceGetPowerUsage);
SAME_CALL(enforced_power_limit, nvmlDeviceGetEnforcedPowerLimit);
SAME_CALL(utilization, nvmlDeviceGetUtilizationRates);
SAME_CALL(memory, nvmlDeviceGetMemoryInfo);
SAME_CALL(compute_processes, nvmlDeviceGetComputeRunningProcesses_v3);
SAME_CALL(graphics_processes, nvmlDeviceGetGraphicsRunningProcesses_v3);
SAME_CALL(process_utilization, nvmlDeviceGetProcessUtilization);
SAME_CALL(mig_mode, nvmlDeviceGetMigMode);
SAME_CALL(mig_count, nvmlDeviceGetMaxMigDeviceCount);
SAME_CALL(mig_by_index, nvmlDeviceGetMigDeviceHandleByIndex);
#undef SAME_CALL

#define SAME_FIELD(ours, mine, theirs, its)                     \
  static_assert(offsetof(ours, mine) == offsetof(theirs, its)); \
  static_assert(std::is_same_v<decltype(ours::mine), decltype(theirs::its)>)
#define SAME_SIZE(ours, theirs) static_assert(sizeof(ours) == sizeof(theirs))
SAME_SIZE(PciInfo, nvmlPciInfo_t);
SAME_FIELD(PciInfo, bus_id_legacy, nvmlPciInfo_t, busIdLegacy);
SAME_FIELD(PciInfo, domain, nvmlPciInfo_t, domain);
SAME_FIELD(PciInfo, bus, nvmlPciInfo_t, bus);
SAME_FIELD(PciInfo, device, nvmlPciInfo_t, device);
SAME_FIELD(PciInfo, device_and_vendor, nvmlPciInfo_t, pciDeviceId);
SAME_FIELD(PciInfo, subsystem, nvmlPciInfo_t, pciSubSystemId);
SAME_FIELD(PciInfo, bus_id, nvmlPciInfo_t, busId);
SAME_SIZE(Memory, nvmlMemory_t);
SAME_FIELD(Memory, total, nvmlMemory_t, total);
SAME_FIELD(Memory, free, nvmlMemory_t, free);
SAME_FIELD(Memory, used, nvmlMemory_t, used);
SAME_SIZE(Utilization, nvmlUtilization_t);
SAME_FIELD(Utilization, gpu, nvmlUtilization_t, gpu);
SAME_FIELD(Utilization, memory, nvmlUtilization_t, memory);
SAME_SIZE(ProcessInfo, nvmlProcessInfo_t);
SAME_FIELD(ProcessInfo, pid, nvmlProcessInfo_t, pid);
SAME_FIELD(ProcessInfo, used_memory, nvmlProcessInfo_t, usedGpuMemory);
SAME_FIELD(ProcessInfo, gpu_instance, nvmlProcessInfo_t, gpuInstanceId);
SAME_FIELD(ProcessInfo, compute_instance, nvmlProcessInfo_t, computeInstanceId);
SAME_SIZE(ProcessUtilization, nvmlProcessUtilizationSample_t);
SAME_FIELD(ProcessUtilization, pid, nvmlProcessUtilizationSample_t, pid);
SAME_FIELD(ProcessUtilization, timestamp, nvmlProcessUtilizationSample_t, timeStamp);
SAME_FIELD(ProcessUtilization, sm, nvmlProcessUtilizationSample_t, smUtil);
SAME_FIELD(ProcessUtilization, memory, nvmlProcessUtilizationSample_t, memUtil);
SAME_FIELD(ProcessUtilization, encoder, nvmlProcessUtilizationSample_t, encUtil);
SAME_FIELD(ProcessUtilization, decoder, nvmlProcessUtilizationSample_t, decUtil);
#undef SAME_FIELD
#undef SAME_SIZE

#define SAME_NUMBER(ours, theirs) \
  static_assert(static_cast<unsigned int>(ours) == static_cast<unsigned int>(theirs))
SAME_NUMBER(Return::success, NVML_SUCCESS);
SAME_NUMBER(Return::uninitialized, NVML_ERROR_UNINITIALIZED);
SAME_NUMBER(Return::invalid_argument, NVML_ERROR_INVALID_ARGUMENT);
SAME_NUMBER(Return::not_supported, NVML_ERROR_NOT_SUPPORTED);
SAME_NUMBER(Return::no_permission, NVML_ERROR_NO_PERMISSION);
SAME_NUMBER(Return::not_found, NVML_ERROR_NOT_FOUND);
SAME_NUMBER(Return::insufficient_size, NVML_ERROR_INSUFFICIENT_SIZE);
SAME_NUMBER(Return::insufficient_power, NVML_ERROR_INSUFFICIENT_POWER);
SAME_NUMBER(Return::driver_not_loaded, NVML_ERROR_DRIVER_NOT_LOADED);
SAME_NUMBER(Return::timeout, NVML_ERROR_TIMEOUT);
SAME_NUMBER(Return::irq_issue, NVML_ERROR_IRQ_ISSUE);
SAME_NUMBER(Return::library_not_found, NVML_ERROR_LIBRARY_NOT_FOUND);
SAME_NUMBER(Return::function_not_found, NVML_ERROR_FUNCTION_NOT_FOUND);
SAME_NUMBER(Return::gpu_is_lost, NVML_ERROR_GPU_IS_LOST);
SAME_NUMBER(Return::reset_required, NVML_ERROR_RESET_REQUIRED);
SAME_NUMBER(Return::lib_rm_version_mismatch, NVML_ERROR_LIB_RM_VERSION_MISMATCH);
SAME_NUMBER(Return::no_data, NVML_ERROR_NO_DATA);
SAME_NUMBER(Return::not_ready, NVML_ERROR_NOT_READY);
SAME_NUMBER(Return::gpu_not_found, NVML_ERROR_GPU_NOT_FOUND);
SAME_NUMBER(Return::unknown, NVML_ERROR_UNKNOWN);
SAME_NUMBER(VirtualizationMode::none, NVML_GPU_VIRTUALIZATION_MODE_NONE);
SAME_NUMBER(VirtualizationMode::passthrough, NVML_GPU_VIRTUALIZATION_MODE_PASSTHROUGH);
SAME_NUMBER(VirtualizationMode::vgpu, NVML_GPU_VIRTUALIZATION_MODE_VGPU);
SAME_NUMBER(VirtualizationMode::host_vgpu, NVML_GPU_VIRTUALIZATION_MODE_HOST_VGPU);
SAME_NUMBER(VirtualizationMode::host_vsga, NVML_GPU_VIRTUALIZATION_MODE_HOST_VSGA);
SAME_NUMBER(architecture::kVolta, NVML_DEVICE_ARCH_VOLTA);
SAME_NUMBER(architecture::kAmpere, NVML_DEVICE_ARCH_AMPERE);
SAME_NUMBER(architecture::kUnknown, NVML_DEVICE_ARCH_UNKNOWN);
SAME_NUMBER(kMigEnabled, NVML_DEVICE_MIG_ENABLE);
SAME_NUMBER(kNameSize, NVML_DEVICE_NAME_V2_BUFFER_SIZE);
SAME_NUMBER(kUuidSize, NVML_DEVICE_UUID_V2_BUFFER_SIZE);
SAME_NUMBER(kVersionSize, NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE);
#undef SAME_NUMBER

constexpr const char* kOneGpu = R"({"gpus": [{"name": "NVIDIA H100", "power_w": 100}]})";

/// The names under which functions are looked up are those of the header.
TEST(NvmlAbi, EveryFunctionIsFoundInALibraryOfTheVendorsHeader) {
  const FakeMachine machine(kOneGpu);
  const Api api = bind(Library::load(machine.host(), "libnvidia-ml.so.1").value());
  EXPECT_TRUE(api.usable());
  using Slot = void (*)();
  static_assert(sizeof(Api) % sizeof(Slot) == 0);
  const auto* slots = reinterpret_cast<const Slot*>(&api);
  for (std::size_t i = 0; i < sizeof(Api) / sizeof(Slot); ++i) EXPECT_NE(slots[i], nullptr) << i;
}

}  // namespace
}  // namespace codecarbon::nvml
