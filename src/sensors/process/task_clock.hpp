#pragma once

#include <optional>
#include <tl/expected.hpp>
#include <vector>

#include "base/fd.hpp"
#include "codecarbon/clock.hpp"
#include "readings/probe.hpp"

namespace codecarbon::process {

/// The kernel's own sum of the CPU time of processes and all that descends from them, in
/// nanoseconds, whoever took them over or waited for them: the software event `task-clock`, which
/// descendants inherit (perf_event_open(2)). One thread at a time; a read is one system call a
/// thread that this process had when it was made, and does not allocate.
class TaskClock {
 public:
  /// `self`: of all threads of this process, from now on. `children`: of the processes that it
  /// starts from now on. The error is an errno: EACCES where
  /// kernel.perf_event_paranoid is above 2, ENOSYS without the call.
  static tl::expected<TaskClock, int> open(TrackedProcesses tracked);

  std::optional<Duration> read() const;

 private:
  TaskClock(std::vector<Fd> events, std::optional<Duration> own_at_start)
      : events_(std::move(events)), own_at_start_(own_at_start) {}
  std::vector<Fd> events_;                // one a thread
  std::optional<Duration> own_at_start_;  // where this process's own time is taken off
};

}  // namespace codecarbon::process
