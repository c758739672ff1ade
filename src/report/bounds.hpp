#pragma once

#include "readings/ledger.hpp"
#include "readings/sensor.hpp"

namespace codecarbon {

/// A counter shows energy in steps and a little late: the start and the end of every segment may
/// each be off by one step and by what flows while an update is pending. A gauge that averages
/// shows the power of half its averaging time ago.
inline Energy boundary_bound(const SensorInfo& info, const Account& account, int segments) {
  if (info.method != Method::measured) return {};
  const Power power = account.peak > Power{} ? account.peak : info.plausible_power;
  const Energy one_end = info.resolution + power * (info.update_period + info.averaging / 2);
  return Energy::from_uj(one_end.uj() * 2 * segments);
}

}  // namespace codecarbon
