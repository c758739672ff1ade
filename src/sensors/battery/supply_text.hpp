#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace codecarbon::battery {

/// What a battery does, as its `status` file says.
enum class Status : std::int64_t { idle, discharging, charging };

/// The Status in text, as a number. "Full", "Not charging" and "Unknown" are idle. Missing for
/// words that the kernel does not use.
std::optional<std::int64_t> parse_status(std::string_view text);

/// A whole number without its sign: drivers do not agree on which way is negative.
std::optional<std::int64_t> parse_magnitude(std::string_view text);

/// Microvolts times microamperes, in whole microwatts. Neither may be above 10^9.
std::int64_t microwatts(std::int64_t microvolts, std::int64_t microamperes);

}  // namespace codecarbon::battery
