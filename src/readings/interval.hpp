#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "codecarbon/clock.hpp"
#include "codecarbon/units.hpp"

namespace codecarbon {

/// Why energy may be missing from an interval.
enum class GapCause : std::uint8_t {
  unreadable,  ///< no good reading could be had
  reset,       ///< the counter began anew, or jumped by more than the hardware can use
  stalled,     ///< the counter stood still for longer than it does when it works
  overrun,     ///< so long between two readings that the counter may have gone round unseen
};
inline constexpr std::size_t kGapCauses = 4;

constexpr std::string_view to_string(GapCause cause) {
  switch (cause) {
    case GapCause::unreadable:
      return "could not be read";
    case GapCause::reset:
      return "was reset";
    case GapCause::stalled:
      return "stood still";
    case GapCause::overrun:
      return "may have wrapped unseen";
  }
  return "";
}

/// A stretch without figures: never joules, but a bound on how many may be missing.
struct Gap {
  GapCause cause = GapCause::unreadable;
  Duration length{};
  Energy bound;
};

/// The energy of one sensor from one reading to the next. Energy exists only here.
struct Interval {
  MonoTime from{};
  MonoTime to{};
  Energy energy;
  Energy bound;  ///< how far off `energy` may be by the way it was obtained (models, integration)
  std::optional<Gap> gap;

  Duration length() const { return to - from; }
};

}  // namespace codecarbon
