#pragma once

#include "host/library.hpp"

/// The part of NVML's binary interface that is used here, declared anew so that nothing of the
/// vendor's is needed to build. Names without nvml prefix; layouts, numbers and signatures are held
/// against the vendor's own header by a test. Facts from nvml.h of NVML 13 (NVIDIA, 2025).
namespace codecarbon::nvml {

enum class Return : unsigned int {
  success = 0,
  uninitialized = 1,
  invalid_argument = 2,
  not_supported = 3,
  no_permission = 4,
  not_found = 6,
  insufficient_size = 7,
  insufficient_power = 8,
  driver_not_loaded = 9,
  timeout = 10,
  irq_issue = 11,
  library_not_found = 12,
  function_not_found = 13,
  gpu_is_lost = 15,
  reset_required = 16,
  lib_rm_version_mismatch = 18,
  no_data = 21,
  not_ready = 27,
  gpu_not_found = 28,
  unknown = 999,
};

struct DeviceObject;
using DeviceHandle = DeviceObject*;

inline constexpr unsigned int kNameSize = 96;
inline constexpr unsigned int kUuidSize = 96;
inline constexpr unsigned int kVersionSize = 80;

struct PciInfo {
  char bus_id_legacy[16];
  unsigned int domain;
  unsigned int bus;
  unsigned int device;
  unsigned int device_and_vendor;  ///< device in the upper half
  unsigned int subsystem;
  char bus_id[32];
};

struct Memory {  // bytes
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

struct Utilization {  // percent
  unsigned int gpu;
  unsigned int memory;
};

struct ProcessInfo {
  unsigned int pid;
  unsigned long long used_memory;  ///< bytes; all ones when not known
  unsigned int gpu_instance;       ///< all ones without MIG
  unsigned int compute_instance;   ///< the same
};

struct ProcessUtilization {
  unsigned int pid;
  unsigned long long timestamp;  ///< microseconds
  unsigned int sm;               ///< percent, as the others
  unsigned int memory;
  unsigned int encoder;
  unsigned int decoder;
};

enum class VirtualizationMode : unsigned int {
  none = 0,
  passthrough = 1,
  vgpu = 2,
  host_vgpu = 3,
  host_vsga = 4,
};

namespace architecture {
inline constexpr unsigned int kVolta = 5;
inline constexpr unsigned int kAmpere = 7;
inline constexpr unsigned int kUnknown = 0xffffffff;  ///< newer than the driver
}  // namespace architecture

inline constexpr unsigned int kMigEnabled = 1;

/// The functions of one loaded library. Those that an older driver lacks are null.
struct Api {
  // Without these there is no NVML that can be used.
  Return (*init)() = nullptr;
  Return (*shutdown)() = nullptr;
  Return (*device_count)(unsigned int* count) = nullptr;
  Return (*handle_by_index)(unsigned int index, DeviceHandle* device) = nullptr;

  const char* (*error_string)(Return code) = nullptr;
  Return (*driver_version)(char* version, unsigned int length) = nullptr;
  Return (*handle_by_uuid)(const char* uuid, DeviceHandle* device) = nullptr;
  Return (*handle_by_bus_id)(const char* bus_id, DeviceHandle* device) = nullptr;
  Return (*name)(DeviceHandle device, char* name, unsigned int length) = nullptr;
  Return (*uuid)(DeviceHandle device, char* uuid, unsigned int length) = nullptr;
  Return (*pci_info)(DeviceHandle device, PciInfo* pci) = nullptr;
  Return (*architecture)(DeviceHandle device, unsigned int* architecture) = nullptr;
  Return (*virtualization_mode)(DeviceHandle device, VirtualizationMode* mode) = nullptr;

  Return (*total_energy)(DeviceHandle device, unsigned long long* millijoules) = nullptr;
  Return (*power_usage)(DeviceHandle device, unsigned int* milliwatts) = nullptr;
  Return (*enforced_power_limit)(DeviceHandle device, unsigned int* milliwatts) = nullptr;
  Return (*utilization)(DeviceHandle device, Utilization* utilization) = nullptr;
  Return (*memory)(DeviceHandle device, Memory* memory) = nullptr;

  Return (*compute_processes)(DeviceHandle device, unsigned int* count,
                              ProcessInfo* infos) = nullptr;
  Return (*graphics_processes)(DeviceHandle device, unsigned int* count,
                               ProcessInfo* infos) = nullptr;
  Return (*process_utilization)(DeviceHandle device, ProcessUtilization* samples,
                                unsigned int* count, unsigned long long since) = nullptr;

  Return (*mig_mode)(DeviceHandle device, unsigned int* current, unsigned int* pending) = nullptr;
  Return (*mig_count)(DeviceHandle device, unsigned int* most) = nullptr;
  Return (*mig_by_index)(DeviceHandle device, unsigned int index, DeviceHandle* mig) = nullptr;

  /// Whether the library has what is needed at the least.
  bool usable() const { return init && shutdown && device_count && handle_by_index; }
};

Api bind(const Library& library);

}  // namespace codecarbon::nvml
