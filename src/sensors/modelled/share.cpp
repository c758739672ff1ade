#include "sensors/modelled/share.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace codecarbon::modelled {
namespace {

constexpr double kShareBound = 1.0;

}  // namespace

RatedPower share_of(RatedPower machine, int logical, const ResourceLimits& limits) {
  if (!limits.processors || logical <= 0) return machine;
  const double share = std::min(*limits.processors / logical, 1.0);
  machine.curve = machine.curve.scaled(share);
  machine.bound = std::max(machine.bound, kShareBound);
  machine.source += fmt::format("; {:.4g} of {} processors: {}", *limits.processors, logical,
                                limits.processors_source);
  return machine;
}

}  // namespace codecarbon::modelled
