#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "readings/sensor.hpp"

namespace codecarbon::craypm {

/// The microjoules of a counter's file, "12345678 J 1600000000000000 us"; older systems leave the
/// time out. Missing for any other form and for what does not fit.
std::optional<std::int64_t> parse_joules(std::string_view text);

/// What the name of a file says of whose energy it counts: "energy" (the node), "cpu_energy",
/// "memory_energy", "cpu0_energy", "accel0_energy". Missing for other names.
std::optional<Domain> parse_counter_name(std::string_view name);

}  // namespace codecarbon::craypm
