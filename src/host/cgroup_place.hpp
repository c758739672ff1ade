#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Which control group a process is in, and where it can be seen. Pure: the text of
/// /proc/self/cgroup and /proc/self/mountinfo in, folders out.

namespace codecarbon {

enum class CgroupVersion { v1, v2 };

/// The control group of a process as one controller sees it: its own folder first, then that of
/// each ancestor up to the mount point. There is at least one. A mount point inside a container may
/// be the container's own group: what lies above it cannot be seen.
struct CgroupPlace {
  CgroupVersion version = CgroupVersion::v2;
  std::vector<std::string> folders;

  bool operator==(const CgroupPlace&) const = default;
};

/// One line of /proc/self/cgroup, "4:memory:/user.slice".
struct CgroupEntry {
  std::string_view controllers;  ///< "cpu,cpuacct"; empty for version 2
  std::string_view path;         ///< below the root of the process's cgroup namespace
};

/// One control group file system of /proc/self/mountinfo.
struct CgroupMount {
  CgroupVersion version = CgroupVersion::v2;
  std::string root;   ///< the group that the mount point shows, as a path like the entry's
  std::string point;  ///< where it is mounted
  std::string_view controllers;  ///< among other options; of version 1 only
};

/// What is no such line is left out. Both refer to the text that they are given.
std::vector<CgroupEntry> parse_cgroup_entries(std::string_view self_cgroup);
std::vector<CgroupMount> parse_cgroup_mounts(std::string_view mountinfo);

/// Where `controller` ("cpu", "cpuset", "memory", ...) has this process: in the version 1 hierarchy
/// of that controller where there is one, else in version 2. Missing when neither is mounted where
/// the process can see a group of its own or of an ancestor.
std::optional<CgroupPlace> find_cgroup(std::string_view controller,
                                       const std::vector<CgroupEntry>& entries,
                                       const std::vector<CgroupMount>& mounts);

}  // namespace codecarbon
