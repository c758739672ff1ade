#pragma once

#include <cstdint>
#include <optional>

#include "codecarbon/units.hpp"

namespace codecarbon {

/// Power of a GPU that has neither an energy counter nor a power reading:
///
///     P = limit x (0.17 + 0.58 x utilisation)
///
/// and half the limit where no utilisation is known. `limit` is what the board may draw (its power
/// limit, else its rated power), `utilization` in millionths of the time that anything ran on it;
/// outside 0 to 1 it counts as the nearer end. Grows with both; never above the limit.
/// docs/models.md says where the figures come from.
Power gpu_power(Power limit, std::optional<std::int64_t> utilization);

/// How far off it may be, as a fraction of it, with and without a known utilisation. Up to the
/// whole limit: a kernel that only waits for memory counts as busy as one that multiplies matrices.
inline constexpr double kGpuModelBound = 0.75;
inline constexpr double kGpuGuessBound = 1.0;

}  // namespace codecarbon
