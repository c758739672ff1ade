#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/cgroup.hpp"
#include "host/cpu_list.hpp"
#include "host/host.hpp"

namespace codecarbon {

/// The part of the machine that this process may use, by its control group (containers, Kubernetes,
/// systemd), its list of processors, or the Slurm job it belongs to. What is missing is not
/// limited.
struct ResourceLimits {
  /// Logical processors, fewer than are online; a quota may allow a fraction of one.
  std::optional<double> processors;
  std::string processors_source;  ///< "cgroup quota of 4 processors (/sys/fs/cgroup/cpu.max)"

  /// Less than the machine has.
  std::optional<std::int64_t> memory_bytes;
  std::string memory_source;

  /// Where the load of these processors is read: the file with the CPU time of the group that has
  /// the limit, for `parse_cgroup_cpu_time`; else which processors of /proc/stat they are. Neither:
  /// nobody tells, and the load of the whole machine is the nearest.
  std::optional<std::string> cpu_time_file;
  std::optional<CpuList> processor_list;

  /// Where the used part of the memory is read; missing: the group does not tell.
  std::optional<CgroupMemoryFiles> memory_files;
};

/// Reads the limits as they are now. Takes some 0.1 ms, unless Slurm has to be asked: only inside a
/// job of which neither the environment nor a control group says enough.
ResourceLimits read_limits(const Host& host);

}  // namespace codecarbon
