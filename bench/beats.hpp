#pragma once

#include <cstdint>
#include <span>

#include "codecarbon/clock.hpp"

namespace codecarbon {

/// Of a window of this length, the share of beats that had no reading at their time or up to half a
/// period later: those that came late and those that never came. The first reading is the window's
/// opening; beats follow it a period apart. A tenth of a period early is on time. Pure.
inline double late_share(std::span<const MonoTime> readings, Duration period, Duration length) {
  const std::int64_t beats = length / period;
  if (beats <= 0 || readings.empty()) return 0;
  const Duration early = period / 10;
  std::int64_t punctual = 0;
  std::int64_t latest = 0;
  for (const MonoTime reading : readings) {
    const Duration since = reading - readings.front() + early;
    const std::int64_t beat = since / period;
    if (beat <= latest || beat > beats || since % period > period / 2 + early) continue;
    latest = beat;
    ++punctual;
  }
  return static_cast<double>(beats - punctual) / static_cast<double>(beats);
}

}  // namespace codecarbon
