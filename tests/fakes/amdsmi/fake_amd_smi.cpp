/// \file
/// A libamd_smi that plays a machine file. Prototypes and values as in amd_smi/amdsmi.h of ROCm 6.0
/// to 7.0 (Advanced Micro Devices, MIT licence), checked against amdsmi_wrapper.py of PyPI's
/// amdsmi 7.0.2. Every socket holds one GPU.

#include <cstdint>

#include "fake_gpus.hpp"

using codecarbon::Quantity;
using fake_amd::FakeGpus;
using fake_amd::Shown;

namespace {

constexpr std::uint32_t kInitError = 18;
constexpr std::uint32_t kNotInitialised = 32;

std::size_t index_of(void* handle) {
  return reinterpret_cast<std::uintptr_t>(handle) - 1;
}
void* handle_of(std::size_t index) {
  return reinterpret_cast<void*>(index + 1);
}

template <class Value>
std::uint32_t give(const Shown& shown, Value* value, std::uint64_t unit = 1) {
  if (value == nullptr) return fake_amd::kInvalid;
  if (FakeGpus::instance().users == 0) return kNotInitialised;
  *value = static_cast<Value>(shown.value / unit);
  return shown.status;
}

/// amdsmi_engine_usage_t: three percentages and thirteen words in reserve.
struct EngineUsage {
  std::uint32_t gfx;
  std::uint32_t umc;
  std::uint32_t mm;
  std::uint32_t reserved[13];
};

}  // namespace

extern "C" {

std::uint32_t amdsmi_init(std::uint64_t flags) {
  if (flags != 2) return fake_amd::kInvalid;  // AMDSMI_INIT_AMD_GPUS
  if (FakeGpus::instance().start()) return 0;
  const std::uint32_t refusal = FakeGpus::instance().refusal;
  return refusal != 0 ? refusal : kInitError;
}

std::uint32_t amdsmi_shut_down() {
  FakeGpus::instance().users = 0;
  return 0;
}

std::uint32_t amdsmi_get_socket_handles(std::uint32_t* count, void** sockets) {
  const auto size = static_cast<std::uint32_t>(FakeGpus::instance().size());
  if (sockets == nullptr) return *count = size, 0;
  for (std::uint32_t i = 0; i < size && i < *count; ++i) sockets[i] = handle_of(i);
  return 0;
}

std::uint32_t amdsmi_get_processor_handles(void* socket, std::uint32_t* count, void** processors) {
  if (processors != nullptr && *count > 0) processors[0] = socket;
  *count = 1;
  return 0;
}

std::uint32_t amdsmi_get_energy_count(void* gpu, std::uint64_t* counts, float* resolution_uj,
                                      std::uint64_t* time_ns) {
  *resolution_uj = 15.259F;
  *time_ns = static_cast<std::uint64_t>(FakeGpus::instance().now.time_since_epoch().count());
  return give(FakeGpus::instance().energy_counts(index_of(gpu)), counts);
}

std::uint32_t amdsmi_get_gpu_activity(void* gpu, EngineUsage* usage) {
  *usage = {0, 0xffff, 0xffff, {}};
  return give(FakeGpus::instance().show(index_of(gpu), Quantity::utilization), &usage->gfx, 10'000);
}

std::uint32_t amdsmi_get_gpu_memory_total(void* gpu, std::uint32_t type, std::uint64_t* bytes) {
  if (type != 0) return fake_amd::kInvalid;
  return give(FakeGpus::instance().memory_total(index_of(gpu)), bytes);
}

std::uint32_t amdsmi_get_gpu_memory_usage(void* gpu, std::uint32_t type, std::uint64_t* bytes) {
  if (type != 0) return fake_amd::kInvalid;
  return give(FakeGpus::instance().show(index_of(gpu), Quantity::memory_used), bytes);
}

std::uint32_t amdsmi_get_gpu_bdf_id(void* gpu, std::uint64_t* packed) {
  return give({0, FakeGpus::pci_id(index_of(gpu))}, packed);
}

}  // extern "C"
