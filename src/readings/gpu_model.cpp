#include "readings/gpu_model.hpp"

#include <algorithm>

namespace codecarbon {
namespace {

constexpr double kIdleShare = 0.17;
constexpr double kBusyShare = 0.58;
constexpr double kUnknownShare = 0.5;
constexpr double kMillion = 1e6;

}  // namespace

Power gpu_power(Power limit, std::optional<std::int64_t> utilization) {
  const double watts = std::max(limit.watts(), 0.0);
  if (!utilization) return Power::from_watts(watts * kUnknownShare);
  const double busy = std::clamp(static_cast<double>(*utilization) / kMillion, 0.0, 1.0);
  return Power::from_watts(watts * (kIdleShare + kBusyShare * busy));
}

}  // namespace codecarbon
