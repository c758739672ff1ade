#pragma once

#include <span>
#include <vector>

#include "sensors/all.hpp"

namespace codecarbon {

/// How long a driver may take to start: some do so for every GPU when nobody else uses it.
inline constexpr Duration kDiscoveryPatience = std::chrono::seconds(20);

/// Asks these back-ends; what they found, in their order. Those of drivers are asked on a thread of
/// its own meanwhile. One that has not answered `patience` after it was asked is left to itself
/// with that thread, which is a finding, and another thread asks the rest.
std::vector<Result<Discovery>> discover_all(std::span<const BackEnd> back_ends, const Host& host,
                                            const SensorSettings& settings,
                                            Duration patience = kDiscoveryPatience);

}  // namespace codecarbon
