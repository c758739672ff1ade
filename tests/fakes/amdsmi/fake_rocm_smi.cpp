/// \file
/// A librocm_smi64 that plays a machine file. Prototypes as in rocm_smi/rocm_smi.h of ROCm 5.2 to
/// 7.0 (Advanced Micro Devices, NCSA licence); where that header is installed (Debian:
/// librocm-smi-dev) the compiler holds them against it.

#if __has_include(<rocm_smi/rocm_smi.h>)
#include <rocm_smi/rocm_smi.h>
#else
#include <cstdint>
enum rsmi_status_t : std::uint32_t { RSMI_STATUS_SUCCESS = 0, RSMI_STATUS_INIT_ERROR = 8 };
enum rsmi_memory_type_t : std::uint32_t { RSMI_MEM_TYPE_VRAM = 0 };
#endif

#include "fake_gpus.hpp"

using codecarbon::Quantity;
using fake_amd::FakeGpus;
using fake_amd::Shown;

namespace {

template <class Value>
rsmi_status_t give(const Shown& shown, Value* value, std::uint64_t unit = 1) {
  if (FakeGpus::instance().users <= 0) return RSMI_STATUS_INIT_ERROR;
  *value = static_cast<Value>(shown.value / unit);
  return static_cast<rsmi_status_t>(shown.status);
}

}  // namespace

extern "C" {

rsmi_status_t rsmi_init(std::uint64_t) {
  return FakeGpus::instance().start() ? RSMI_STATUS_SUCCESS : RSMI_STATUS_INIT_ERROR;
}

rsmi_status_t rsmi_shut_down() {
  FakeGpus::instance().stop();
  return RSMI_STATUS_SUCCESS;
}

rsmi_status_t rsmi_num_monitor_devices(std::uint32_t* count) {
  return give({0, FakeGpus::instance().size()}, count);
}

rsmi_status_t rsmi_dev_energy_count_get(std::uint32_t gpu, std::uint64_t* counts,
                                        float* resolution_uj, std::uint64_t* time_ns) {
  *resolution_uj = 15.3F;  // as all editions of this library round it
  *time_ns = static_cast<std::uint64_t>(FakeGpus::instance().now.time_since_epoch().count());
  return give(FakeGpus::instance().energy_counts(gpu), counts);
}

rsmi_status_t rsmi_dev_busy_percent_get(std::uint32_t gpu, std::uint32_t* percent) {
  return give(FakeGpus::instance().show(gpu, Quantity::utilization), percent, 10'000);
}

rsmi_status_t rsmi_dev_memory_total_get(std::uint32_t gpu, rsmi_memory_type_t,
                                        std::uint64_t* bytes) {
  return give(FakeGpus::instance().memory_total(gpu), bytes);
}

rsmi_status_t rsmi_dev_memory_usage_get(std::uint32_t gpu, rsmi_memory_type_t,
                                        std::uint64_t* bytes) {
  return give(FakeGpus::instance().show(gpu, Quantity::memory_used), bytes);
}

rsmi_status_t rsmi_dev_pci_id_get(std::uint32_t gpu, std::uint64_t* packed) {
  return give({0, FakeGpus::pci_id(gpu)}, packed);
}

}  // extern "C"
