#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "host/cgroup_place.hpp"
#include "host/cpu_list.hpp"
#include "host/host.hpp"

namespace codecarbon {

/// Where the control group of this process can be seen, by controller. A level counts from the
/// process's own group (0) towards the root.
struct Cgroups {
  std::optional<CgroupPlace> cpu;
  std::optional<CgroupPlace> cpu_time;  ///< "cpuacct" in version 1, else the same as `cpu`
  std::optional<CgroupPlace> cpuset;
  std::optional<CgroupPlace> memory;
};

/// Everything is missing where the kernel has no control groups or the process cannot see its own.
Cgroups find_cgroups(const Host& host);

/// What a control group allows, and the file that says so.
template <class T>
struct CgroupLimit {
  T value;
  std::string file;
  std::size_t level = 0;

  bool operator==(const CgroupLimit&) const = default;
};

/// The smallest quota of the process's group and all its ancestors, in processors (CPU time over
/// time). Missing when none has one.
std::optional<CgroupLimit<double>> least_quota(const Host& host, const Cgroups& groups);

/// The processors that the group may run on, which lie within those of its ancestors. Missing when
/// there is no such list.
std::optional<CgroupLimit<CpuList>> allowed_processors(const Host& host, const Cgroups& groups);

/// The smallest hard limit of memory of the group and all its ancestors, in bytes. Version 1 says
/// "none" by a number beyond any memory, so compare it with what the machine has.
std::optional<CgroupLimit<std::int64_t>> least_memory(const Host& host, const Cgroups& groups);

/// The file with the CPU time that the group at `level` of `place`, a place of `groups`, has used,
/// for `parse_cgroup_cpu_time`. Missing when there is none.
std::optional<std::string> cpu_time_file(const Host& host, const Cgroups& groups,
                                         const CgroupPlace& place, std::size_t level);

/// The files that tell how much memory a group uses.
struct CgroupMemoryFiles {
  std::string usage;                 ///< bytes, page cache included
  std::string stat;                  ///< where `reclaimable` stands
  std::string_view reclaimable_key;  ///< page cache that is dropped when memory is wanted

  bool operator==(const CgroupMemoryFiles&) const = default;
};

/// Missing when the group at `level` of the memory controller does not say.
std::optional<CgroupMemoryFiles> memory_files(const Host& host, const Cgroups& groups,
                                              std::size_t level);

/// The level whose group has the name `name`: batch systems name groups after jobs.
std::optional<std::size_t> level_named(const CgroupPlace& place, std::string_view name);

/// Processors by "400000 100000" (quota and period in microseconds). Missing for "max", and for
/// anything that is no quota.
std::optional<double> parse_cpu_max(std::string_view text);

/// Nanoseconds by cpu.stat ("usage_usec 1234" on a line) or cpuacct.usage (nanoseconds alone).
std::optional<std::int64_t> parse_cgroup_cpu_time(std::string_view text);

/// The number in the line "key number" of a flat table such as memory.stat; missing when there is
/// none, or it is negative.
std::optional<std::int64_t> flat_value(std::string_view table, std::string_view key);

}  // namespace codecarbon
