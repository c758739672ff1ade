#include "sensors/nvml/nvml_api.hpp"

namespace codecarbon::nvml {

Api bind(const Library& library) {
  Api api;
  const auto find = [&](auto& slot, const char* name) {
    slot = library.function<std::remove_pointer_t<std::remove_reference_t<decltype(slot)>>>(name);
  };
  find(api.init, "nvmlInit_v2");
  find(api.shutdown, "nvmlShutdown");
  find(api.device_count, "nvmlDeviceGetCount_v2");
  find(api.handle_by_index, "nvmlDeviceGetHandleByIndex_v2");
  find(api.error_string, "nvmlErrorString");
  find(api.driver_version, "nvmlSystemGetDriverVersion");
  find(api.handle_by_uuid, "nvmlDeviceGetHandleByUUID");
  find(api.handle_by_bus_id, "nvmlDeviceGetHandleByPciBusId_v2");
  find(api.name, "nvmlDeviceGetName");
  find(api.uuid, "nvmlDeviceGetUUID");
  find(api.pci_info, "nvmlDeviceGetPciInfo_v3");
  find(api.architecture, "nvmlDeviceGetArchitecture");
  find(api.virtualization_mode, "nvmlDeviceGetVirtualizationMode");
  find(api.total_energy, "nvmlDeviceGetTotalEnergyConsumption");
  find(api.power_usage, "nvmlDeviceGetPowerUsage");
  find(api.enforced_power_limit, "nvmlDeviceGetEnforcedPowerLimit");
  find(api.utilization, "nvmlDeviceGetUtilizationRates");
  find(api.memory, "nvmlDeviceGetMemoryInfo");
  find(api.compute_processes, "nvmlDeviceGetComputeRunningProcesses_v3");
  find(api.graphics_processes, "nvmlDeviceGetGraphicsRunningProcesses_v3");
  find(api.process_utilization, "nvmlDeviceGetProcessUtilization");
  find(api.mig_mode, "nvmlDeviceGetMigMode");
  find(api.mig_count, "nvmlDeviceGetMaxMigDeviceCount");
  find(api.mig_by_index, "nvmlDeviceGetMigDeviceHandleByIndex");
  return api;
}

}  // namespace codecarbon::nvml
