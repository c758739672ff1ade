#pragma once

#include <cstdint>
#include <optional>

#include "host/host.hpp"
#include "host/limits.hpp"
#include "readings/process.hpp"
#include "sensors/files/cpu_times_source.hpp"
#include "sensors/files/memory_use.hpp"

namespace codecarbon::process {

/// What is used of the part of the machine that a limit leaves to this process (a container, a
/// job), by the sources that the models of that part use. One thread at a time; does not allocate.
class PartUse {
 public:
  /// Tells nothing of what is not limited.
  PartUse(const Host& host, const ResourceLimits& limits);

  /// `own` of it was used by the tracked processes, which is off by `own_error` at most.
  std::optional<CpuTotals> cpu(MonoTime tick, Duration own, Duration own_error) const;
  std::optional<MemoryUse> memory(std::int64_t own) const;

 private:
  std::optional<OpenedTimes> times_;
  double share_of_all_ = 1;  // where only the times of the whole machine are known
  std::optional<OpenedMemory> memory_;
  std::int64_t memory_limit_ = 0;
};

}  // namespace codecarbon::process
