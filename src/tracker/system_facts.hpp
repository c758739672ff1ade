#pragma once

#include <cstdint>

#include "codecarbon/report.hpp"
#include "host/host.hpp"
#include "tracker/equipment.hpp"

namespace codecarbon {

/// The machine's own description for the row: operating system, processors, memory, and the GPUs
/// that are in use. What cannot be found out stays empty.
SystemReport describe_system(const Host& host, const Equipment& equipment);

/// The unit of the row's memory columns (2^30 bytes).
constexpr double gigabytes(std::int64_t bytes) {
  return static_cast<double>(bytes) / (1024.0 * 1024.0 * 1024.0);
}

}  // namespace codecarbon
