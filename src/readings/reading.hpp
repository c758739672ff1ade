#pragma once

#include <cstdint>
#include <tl/expected.hpp>

#include "codecarbon/clock.hpp"

namespace codecarbon {

/// Why there is no value this time.
enum class ReadFault : std::uint8_t {
  empty,       ///< the source answered with nothing
  garbage,     ///< the source answered with something that is not a number in its range
  unreadable,  ///< the source refused (permission, I/O error)
  gone,        ///< the source is no longer there
};

/// One raw value in the sensor's Quantity, or why there is none, at the time of its sample.
struct Reading {
  MonoTime at{};
  tl::expected<std::int64_t, ReadFault> value = tl::unexpected(ReadFault::empty);
};

}  // namespace codecarbon
