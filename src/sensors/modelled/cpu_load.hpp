#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace codecarbon::modelled {

/// Time of all processors since boot, in kernel ticks (10 ms on every common kernel).
struct CpuTimes {
  std::int64_t busy = 0;   ///< user, nice, system and interrupts; guests are inside user
  std::int64_t total = 0;  ///< the same, idle, waiting for I/O, and stolen by a hypervisor
};

/// The first line of /proc/stat. Missing when the text does not begin with such a line.
std::optional<CpuTimes> parse_cpu_times(std::string_view stat);

/// Turns successive times into the load between them. Pure; one thread at a time.
class LoadMeter {
 public:
  explicit LoadMeter(CpuTimes first) : last_(first) {}
  /// Load from 0 to 1 since the last call that gave one. Nothing when no tick has passed, or time
  /// went backwards (then it starts anew).
  std::optional<double> advance(CpuTimes now);

 private:
  CpuTimes last_;
};

}  // namespace codecarbon::modelled
