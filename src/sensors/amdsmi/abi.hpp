#pragma once

#include <array>
#include <cstdint>

/// What is used of the binary interfaces of AMD SMI and ROCm SMI. From the prototypes in their
/// public headers: amd_smi/amdsmi.h of ROCm 6.0 to 7.0 and rocm_smi/rocm_smi.h of ROCm 5.2 to 7.0
/// (Advanced Micro Devices, 2022-2025, MIT and NCSA licences). Only calls whose types stayed the
/// same over these versions; the structures with power in them did not.
namespace codecarbon::amdsmi::abi {

using Status = std::uint32_t;  // an enumeration there; both agree on the values that matter
inline constexpr Status kSuccess = 0;
inline constexpr Status kNotSupported = 2;

inline constexpr std::uint64_t kInitAmdGpus = 2;       // AMDSMI_INIT_AMD_GPUS
inline constexpr std::uint32_t kVideoMemory = 0;       // *_MEM_TYPE_VRAM
inline constexpr std::uint64_t kNoCount = UINT64_MAX;  // firmware without the accumulator

/// amdsmi_engine_usage_t begins with the percentage of the graphics engine, and so does what
/// rsmi_dev_busy_percent_get fills. Large enough for all versions of the former.
using Usage = std::array<std::uint32_t, 64>;

/// Calls on one device. AMD SMI names it by a pointer, ROCm SMI by an index.
template <class Device>
struct Calls {
  Status (*energy)(Device, std::uint64_t* counts, float* resolution_uj, std::uint64_t* time_ns);
  Status (*usage)(Device, std::uint32_t* percent);
  Status (*memory_total)(Device, std::uint32_t type, std::uint64_t* bytes);
  Status (*memory_used)(Device, std::uint32_t type, std::uint64_t* bytes);
  /// Domain in bits 32 to 63, bus 8 to 15, device 3 to 7, function 0 to 2.
  Status (*pci_id)(Device, std::uint64_t* packed);
};

}  // namespace codecarbon::amdsmi::abi
