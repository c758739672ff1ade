#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace codecarbon {

/// What one process says of itself in /proc/PID/stat. Times are in kernel ticks, each sum cut to
/// whole ones by the kernel, which itself counts in nanoseconds.
struct ProcessStat {
  int pid = 0;
  int parent = 0;
  std::int64_t started = 0;   ///< since boot; with the number it names a process for ever
  std::int64_t self = 0;      ///< user and system time of all its threads
  std::int64_t children = 0;  ///< that of its descendants that ended and were waited for
  std::int64_t pages = 0;     ///< resident memory
};

/// How many sums of a ProcessStat are cut, each by less than a tick.
inline constexpr int kCutSums = 4;

/// Missing when the text is not such a line, or is cut. A name may hold anything.
std::optional<ProcessStat> parse_process_stat(std::string_view text);

}  // namespace codecarbon
