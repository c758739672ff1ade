#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "codecarbon/clock.hpp"

namespace codecarbon {

/// CPU time since some moment in the past, of the tracked processes and of the whole machine.
struct CpuTotals {
  Duration own{};        ///< used by the tracked processes, ended ones included
  Duration busy{};       ///< used by anybody
  Duration capacity{};   ///< all processors, busy or not
  Duration own_error{};  ///< how far off `own` may be in one reading
  Duration busy_step{};  ///< each processor's busy time is counted in steps of this
};

/// Memory at one moment, in bytes.
struct MemoryUse {
  std::int64_t own = 0;   ///< resident in the tracked processes
  std::int64_t used = 0;  ///< by anybody
  std::int64_t total = 0;
};

/// What is known of the tracked processes at one moment. Missing is unknown, not zero.
struct ProcessReading {
  std::optional<CpuTotals> cpu{};
  std::optional<MemoryUse> memory{};
  /// The same of the part of the machine that this process may use (a container, a job) in place of
  /// the whole. Missing where there is no limit, too.
  std::optional<CpuTotals> part_cpu{};
  std::optional<MemoryUse> part_memory{};
};

/// A process that a device's driver says is using the device.
struct GpuProcess {
  int pid = 0;
  std::optional<double> utilization{};  ///< of the device, lately; any unit, the same for all
};

/// Follows the tracked processes: one and its descendants. One thread at a time.
class ProcessSource {
 public:
  virtual ~ProcessSource() = default;
  /// Does not throw, nor allocate once it has seen as many processes as there are.
  virtual ProcessReading read(MonoTime tick) = 0;
  /// Whether the last reading had this process among the tracked ones. Missing where the numbers
  /// that drivers give mean other processes here (a container).
  virtual std::optional<bool> owns(int pid) const = 0;
  /// A reading costs so much, or shows so little, that it is not worth while more often than this.
  virtual Duration shortest_interval() const = 0;
  /// For a person: how the CPU time is had.
  virtual const std::string& description() const = 0;
};

}  // namespace codecarbon
