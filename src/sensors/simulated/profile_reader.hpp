#pragma once

#include <string_view>

#include "sensors/simulated/json_place.hpp"
#include "sensors/simulated/profile.hpp"

namespace codecarbon::simulated {

/// How a number in a file becomes a whole one inside, and what is accepted.
struct Unit {
  std::string_view suffix;  ///< of keys: "w" as in "low_w"
  std::string_view words;   ///< "watts"
  double scale;             ///< whole units per one of the file
  double most;              ///< accepted: 0 to this
};

inline constexpr Unit kWatts{"w", "watts", 1e6, 100'000};
inline constexpr Unit kPercent{"percent", "percent", 1e4, 100};

/// Machine times and lengths of time are at most this many seconds.
inline constexpr double kLongestSeconds = 1e9;

/// A time in seconds (or thousandths of one), to the nanosecond, from `least` on.
Duration read_seconds(const Place& place, double least = 0);
Duration read_milliseconds(const Place& place, double least = 0);

/// A number, or an object with one of steps, ramp, square, repeat, sum.
Profile read_profile(const Place& place, const Unit& unit);

}  // namespace codecarbon::simulated
