#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <tl/expected.hpp>

#include "codecarbon/clock.hpp"

namespace codecarbon::ipmi {

/// A command to the controller of a board.
struct Command {
  std::uint8_t function = 0;  ///< network function
  std::uint8_t number = 0;
  std::array<std::uint8_t, 4> data{};
};

/// "Get Power Reading" of the Data Center Manageability Interface (DCMI 1.5, Intel 2011, 6.6.1).
inline constexpr Command kGetPowerReading = {0x2c, 0x02, {0xdc, 0x01, 0x00, 0x00}};

/// Longer than any answer to it.
inline constexpr std::size_t kMostOfAnswer = 64;

struct PowerReading {
  std::int64_t now_watts = 0;
  std::int64_t mean_watts = 0;
  Duration period{};  ///< that the mean is over
};

/// Why an answer holds no power.
enum class NoPower {
  busy,         ///< the controller asks to be asked again
  unsupported,  ///< it does not know the command
  refused,      ///< it says that it failed, or that we may not
  malformed,    ///< the answer has not the form of one
  off,          ///< it does not measure now, or shows 0 W
};

/// Reads an answer, completion code first. Pure.
tl::expected<PowerReading, NoPower> decode_power(std::span<const std::uint8_t> answer);

}  // namespace codecarbon::ipmi
