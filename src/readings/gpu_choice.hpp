#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "readings/sensor.hpp"

namespace codecarbon {

/// The environment variables by which a job says which devices it may use; missing: not set.
struct VisibleDevices {
  std::optional<std::string> cuda;  ///< CUDA_VISIBLE_DEVICES
  std::optional<std::string> rocr;  ///< ROCR_VISIBLE_DEVICES
  std::optional<std::string> hip;   ///< HIP_VISIBLE_DEVICES, within what ROCR leaves
  std::optional<std::string> ze;    ///< ZE_AFFINITY_MASK
};

struct GpuChoice {
  /// One per GPU: why it is not measured; empty when it is.
  std::vector<std::string> reasons;
  /// What was asked for and is not there, as it was written.
  std::vector<std::string> unknown;
};

/// Which of `gpus` (each device once) are measured. `gpu_ids`, when given, decides alone: indices,
/// identifiers or unique beginnings of them, a MIG instance for the GPU that it is a part of. Who
/// chooses a die that another one's meter holds has that one measured as well: the whole card.
/// Otherwise each vendor's variable does, with that vendor's meaning: not set is all, empty is
/// none, a list ends before its first entry that is no device ("0,-1,1" is 0). Pure.
///
/// Indices are those of the vendor's management library, which counts by bus address. CUDA does so
/// on machines of like GPUs, and on others where CUDA_DEVICE_ORDER is PCI_BUS_ID.
/// Sources: CUDA C Programming Guide 12, "CUDA Environment Variables"; ROCm documentation 6, "GPU
/// isolation techniques"; oneAPI Level Zero specification 1.9, "Affinity Mask".
GpuChoice choose_gpus(std::span<const Domain* const> gpus,
                      const std::optional<std::vector<std::string>>& gpu_ids,
                      const VisibleDevices& visible);

}  // namespace codecarbon
