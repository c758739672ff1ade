#include "host/cgroup.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace codecarbon {
namespace {

std::optional<std::int64_t> read_number(const Host& host, const std::string& file) {
  const auto text = host.read(file);
  return text ? parse_integer(*text) : std::nullopt;
}

std::optional<double> quota_of(std::optional<std::int64_t> quota,
                               std::optional<std::int64_t> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

/// A value that is missing when no group of `place` has one, else the least and where it stands.
template <class Read>
auto least_of(const CgroupPlace& place, std::string_view name, Read read) {
  std::optional<CgroupLimit<typename decltype(read(std::string()))::value_type>> least;
  for (std::size_t level = 0; level < place.folders.size(); ++level) {
    const std::string& folder = place.folders[level];
    const auto value = read(folder);
    if (!value || (least && least->value <= *value)) continue;
    least = {*value, folder + "/" + std::string(name), level};
  }
  return least;
}

std::optional<double> quota_in_v1(const Host& host, const std::string& folder) {
  const auto quota = read_number(host, folder + "/cpu.cfs_quota_us");
  if (!quota || *quota <= 0) return std::nullopt;
  return quota_of(quota, read_number(host, folder + "/cpu.cfs_period_us"));
}

std::optional<double> quota_in_v2(const Host& host, const std::string& folder) {
  const auto text = host.read(folder + "/cpu.max");
  return text ? parse_cpu_max(*text) : std::nullopt;
}

std::optional<std::int64_t> memory_in(const Host& host, const std::string& file) {
  const auto bytes = read_number(host, file);
  return bytes && *bytes > 0 ? bytes : std::nullopt;
}

/// Version 1 tells the effective limit, also by ancestors that a container cannot see.
void heed_hidden_ancestors(const Host& host, const CgroupPlace& place,
                           std::optional<CgroupLimit<std::int64_t>>& least) {
  const std::string file = place.folders.front() + "/memory.stat";
  const auto stat = host.read(file);
  const auto bytes = stat ? flat_value(*stat, "hierarchical_memory_limit") : std::nullopt;
  if (!bytes || *bytes <= 0 || (least && least->value <= *bytes)) return;
  least = {*bytes, file, place.folders.size() - 1};
}

/// Below the mount point, so that the hierarchies of version 1 can be compared.
std::string_view own_path(const CgroupPlace& place) {
  return std::string_view(place.folders.front()).substr(place.folders.back().size());
}

}  // namespace

Cgroups find_cgroups(const Host& host) {
  const auto self = host.read("proc/self/cgroup");
  if (!self) return {};
  const auto mountinfo = host.read("proc/self/mountinfo");
  if (!mountinfo) return {};
  const auto entries = parse_cgroup_entries(*self);
  const auto mounts = parse_cgroup_mounts(*mountinfo);
  const auto find = [&](std::string_view controller) {
    return find_cgroup(controller, entries, mounts);
  };
  return {find("cpu"), find("cpuacct"), find("cpuset"), find("memory")};
}

std::optional<CgroupLimit<double>> least_quota(const Host& host, const Cgroups& groups) {
  if (!groups.cpu) return std::nullopt;
  const bool v1 = groups.cpu->version == CgroupVersion::v1;
  return least_of(*groups.cpu, v1 ? "cpu.cfs_quota_us" : "cpu.max", [&](const std::string& folder) {
    return v1 ? quota_in_v1(host, folder) : quota_in_v2(host, folder);
  });
}

std::optional<CgroupLimit<CpuList>> allowed_processors(const Host& host, const Cgroups& groups) {
  if (!groups.cpuset) return std::nullopt;
  const auto& folders = groups.cpuset->folders;
  const bool v1 = groups.cpuset->version == CgroupVersion::v1;
  for (std::size_t level = 0; level < folders.size(); ++level) {
    // An empty list, or none where the controller is not switched on, means that of the parent.
    for (const char* name :
         {v1 ? "/cpuset.effective_cpus" : "/cpuset.cpus.effective", "/cpuset.cpus"}) {
      std::string file = folders[level] + name;
      if (auto list = read_cpu_list(host, file)) {
        return CgroupLimit<CpuList>{std::move(*list), std::move(file), level};
      }
    }
  }
  return std::nullopt;
}

std::optional<CgroupLimit<std::int64_t>> least_memory(const Host& host, const Cgroups& groups) {
  if (!groups.memory) return std::nullopt;
  const bool v1 = groups.memory->version == CgroupVersion::v1;
  const std::string name = v1 ? "memory.limit_in_bytes" : "memory.max";
  auto least = least_of(*groups.memory, name, [&](const std::string& folder) {
    return memory_in(host, folder + "/" + name);
  });
  if (v1) heed_hidden_ancestors(host, *groups.memory, least);
  return least;
}

std::optional<std::string> cpu_time_file(const Host& host, const Cgroups& groups,
                                         const CgroupPlace& place, std::size_t level) {
  // The hierarchies of version 1 need not agree: then the levels do not correspond.
  if (!groups.cpu_time || own_path(*groups.cpu_time) != own_path(place)) return std::nullopt;
  const bool v1 = groups.cpu_time->version == CgroupVersion::v1;
  std::string file = groups.cpu_time->folders.at(level) + (v1 ? "/cpuacct.usage" : "/cpu.stat");
  const auto text = host.read(file);
  if (!text || !parse_cgroup_cpu_time(*text)) return std::nullopt;
  return file;
}

std::optional<CgroupMemoryFiles> memory_files(const Host& host, const Cgroups& groups,
                                              std::size_t level) {
  if (!groups.memory || level >= groups.memory->folders.size()) return std::nullopt;
  const std::string& folder = groups.memory->folders[level];
  const bool v1 = groups.memory->version == CgroupVersion::v1;
  CgroupMemoryFiles files{folder + (v1 ? "/memory.usage_in_bytes" : "/memory.current"),
                          folder + "/memory.stat", v1 ? "total_inactive_file" : "inactive_file"};
  return read_number(host, files.usage) ? std::optional(std::move(files)) : std::nullopt;
}

std::optional<std::size_t> level_named(const CgroupPlace& place, std::string_view name) {
  for (std::size_t level = 0; level + 1 < place.folders.size(); ++level) {
    const std::string_view folder = place.folders[level];
    if (folder.substr(folder.rfind('/') + 1) == name) return level;
  }
  return std::nullopt;
}

std::optional<double> parse_cpu_max(std::string_view text) {
  text = trimmed(text);
  const auto quota = take_until(text, ' ');
  return quota_of(parse_integer(quota), parse_integer(text));
}

std::optional<std::int64_t> parse_cgroup_cpu_time(std::string_view text) {
  constexpr std::int64_t kNanosecondsPerMicrosecond = 1000;
  const auto alone = parse_integer(text);
  if (alone) return *alone >= 0 ? alone : std::nullopt;
  const auto usage_usec = flat_value(text, "usage_usec");
  if (!usage_usec || *usage_usec > INT64_MAX / kNanosecondsPerMicrosecond) return std::nullopt;
  return *usage_usec * kNanosecondsPerMicrosecond;
}

std::optional<std::int64_t> flat_value(std::string_view table, std::string_view key) {
  while (!table.empty()) {
    auto line = take_until(table, '\n');
    if (take_until(line, ' ') != key) continue;
    const auto value = parse_integer(line);
    return value && *value >= 0 ? value : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace codecarbon
