#include "host/cgroup_place.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace codecarbon {
namespace {

/// The kernel knows no longer path; what is longer in a file is garbage.
constexpr std::size_t kLongestPath = 4096;

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    if (take_until(list, ',') == word) return true;
  }
  return false;
}

bool climbs(std::string_view path) {
  while (!path.empty()) {
    if (take_until(path, '/') == "..") return true;
  }
  return false;
}

bool is_octal(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '7'; });
}

/// Blanks, line ends and backslashes stand as "\040" and the like in mountinfo.
std::string without_escapes(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    std::size_t length = 1;
    char c = text[0];
    if (c == '\\' && text.size() >= 4 && is_octal(text.substr(1, 3))) {
      c = static_cast<char>((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0'));
      length = 4;
    }
    plain += c;
    text.remove_prefix(length);
  }
  return plain;
}

std::optional<CgroupMount> parse_mount(std::string_view line) {
  constexpr std::string_view kSeparator = " - ";
  const auto separator = line.find(kSeparator);
  if (separator == std::string_view::npos) return std::nullopt;
  auto tail = line.substr(separator + kSeparator.size());
  const auto type = take_until(tail, ' ');
  if (type != "cgroup" && type != "cgroup2") return std::nullopt;
  take_until(tail, ' ');                   // the source: any text
  std::array<std::string_view, 5> fields;  // id, parent, device, root, mount point
  for (auto& field : fields) field = take_until(line, ' ');
  if (!fields[3].starts_with('/') || !fields[4].starts_with('/') || climbs(fields[4]) ||
      fields[4].size() > kLongestPath) {
    return std::nullopt;
  }
  return CgroupMount{type == "cgroup" ? CgroupVersion::v1 : CgroupVersion::v2,
                     without_escapes(fields[3]), without_escapes(fields[4]), tail};
}

/// The way from `root` down to `path`, "" or "/a/b". Missing when `path` is not below `root`.
std::optional<std::string_view> below(std::string_view path, std::string_view root) {
  if (root == "/") root = "";
  if (!path.starts_with(root)) return std::nullopt;
  path.remove_prefix(root.size());
  if (path == "/") path = "";
  if (!path.empty() && !path.starts_with('/')) return std::nullopt;
  return climbs(path) ? std::nullopt : std::optional(path);
}

/// A mount that shows a group at or above the namespace's root ("/", "/..", "/../..") without a
/// name for what lies between: an ancestor of every process in the namespace. One that shows a
/// deeper group than the namespace's root is what a container runtime gives a process: its own.
bool stands_for_the_namespace(const CgroupMount& mount, std::string_view path) {
  return path == "/" && mount.root != "/";
}

std::optional<CgroupPlace> place_at(const CgroupMount& mount, std::string_view path) {
  auto way = below(path, mount.root);
  if (!way && stands_for_the_namespace(mount, path)) way = "";
  if (!way) return std::nullopt;
  CgroupPlace place{mount.version, {}};
  std::string folder = mount.point + std::string(*way);
  for (; folder.size() > mount.point.size(); folder.resize(folder.rfind('/'))) {
    place.folders.push_back(folder);
  }
  place.folders.push_back(mount.point);
  return place;
}

/// Of several mounts, the one that shows most ancestors.
std::optional<CgroupPlace> best_place(CgroupVersion version, std::string_view controller,
                                      std::string_view path,
                                      const std::vector<CgroupMount>& mounts) {
  std::optional<CgroupPlace> best;
  for (const CgroupMount& mount : mounts) {
    if (mount.version != version) continue;
    if (version == CgroupVersion::v1 && !has_word(mount.controllers, controller)) continue;
    auto place = place_at(mount, path);
    if (place && (!best || place->folders.size() > best->folders.size())) best = std::move(place);
  }
  return best;
}

}  // namespace

std::vector<CgroupEntry> parse_cgroup_entries(std::string_view self_cgroup) {
  std::vector<CgroupEntry> entries;
  while (!self_cgroup.empty()) {
    auto line = take_until(self_cgroup, '\n');
    const auto id = take_until(line, ':');
    const auto controllers = take_until(line, ':');
    if (id.empty() || !line.starts_with('/') || line.size() > kLongestPath) continue;
    entries.push_back({controllers, line});
  }
  return entries;
}

std::vector<CgroupMount> parse_cgroup_mounts(std::string_view mountinfo) {
  std::vector<CgroupMount> mounts;
  while (!mountinfo.empty()) {
    if (auto mount = parse_mount(take_until(mountinfo, '\n'))) mounts.push_back(std::move(*mount));
  }
  return mounts;
}

std::optional<CgroupPlace> find_cgroup(std::string_view controller,
                                       const std::vector<CgroupEntry>& entries,
                                       const std::vector<CgroupMount>& mounts) {
  for (const CgroupEntry& entry : entries) {
    if (!has_word(entry.controllers, controller)) continue;
    if (auto place = best_place(CgroupVersion::v1, controller, entry.path, mounts)) return place;
  }
  for (const CgroupEntry& entry : entries) {
    if (!entry.controllers.empty()) continue;
    return best_place(CgroupVersion::v2, controller, entry.path, mounts);
  }
  return std::nullopt;
}

}  // namespace codecarbon
