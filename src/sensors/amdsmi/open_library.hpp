#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/host.hpp"
#include "sensors/amdsmi/gpu.hpp"

namespace codecarbon::amdsmi {

/// A library that was started, and its GPUs in its own order.
struct Opened {
  std::string library;  ///< for a person
  std::vector<std::unique_ptr<Gpu>> gpus;
};

/// Fail with missing_file where there is no such library, and with io where it is too old to be
/// used or refuses to start.
Result<Opened> open_amd_smi(const Host& host);
Result<Opened> open_rocm_smi(const Host& host);

}  // namespace codecarbon::amdsmi
