#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "codecarbon/clock.hpp"
#include "host/cpu_list.hpp"

namespace codecarbon {

/// Time of some processors since some moment, both in the same unit: kernel ticks (10 ms on every
/// common kernel) since boot, or nanoseconds of a control group.
struct CpuTimes {
  std::int64_t busy = 0;   ///< user, nice, system and interrupts; guests are inside user
  std::int64_t total = 0;  ///< the same, idle, waiting for I/O, and stolen by a hypervisor

  bool operator==(const CpuTimes&) const = default;
};

/// How long a tick is, in which the kernel tells times.
Duration kernel_tick();

/// So many of a unit, as a time that can be told: the longest for more than that.
constexpr Duration ticks_as_time(std::int64_t ticks, Duration unit) {
  return unit * std::min(ticks, Duration::max() / unit);
}

/// All processors: the first line of /proc/stat. Missing when the text does not begin with such a
/// line, whole.
std::optional<CpuTimes> parse_cpu_times(std::string_view stat);

/// The processors of `list` together, by their lines of /proc/stat. Those that are offline have no
/// line and no time. Missing when none has one, or the text ends before the last of them.
std::optional<CpuTimes> parse_cpu_times(std::string_view stat, const CpuList& list);

}  // namespace codecarbon
