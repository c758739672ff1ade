#include "sensors/files/kfd_users.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include "base/text.hpp"

namespace codecarbon {
namespace {

constexpr std::string_view kNodes = "sys/class/kfd/kfd/topology/nodes";
constexpr std::string_view kProcesses = "sys/class/kfd/kfd/proc";

/// "name value", one a line.
std::optional<std::int64_t> property(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    std::string_view line = take_until(text, '\n');
    if (take_until(line, ' ') == name) return parse_integer(line);
  }
  return std::nullopt;
}

/// Where the node of the driver is on the bus; empty for a node that is no device, or that this
/// user may not see.
std::string address_of(const Host& host, const std::string& node) {
  const auto properties = host.read(node + "/properties");
  if (!properties) return {};
  const auto location = property(*properties, "location_id");
  if (!location || *location <= 0) return {};
  const auto place = static_cast<std::uint64_t>(*location);
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", property(*properties, "domain").value_or(0),
                     place >> 8U & 0xffU, place >> 3U & 0x1fU, place & 7U);
}

/// Parts of one GPU may be nodes of their own at one address.
std::vector<std::uint32_t> gpus_at(const Host& host, const std::string& bus_id) {
  std::vector<std::uint32_t> gpus;
  for (const std::string& name : host.list(kNodes)) {
    const std::string node = fmt::format("{}/{}", kNodes, name);
    if (address_of(host, node) != bus_id) continue;
    const auto text = host.read(node + "/gpu_id");
    const auto gpu = text ? parse_integer(*text) : std::nullopt;
    if (gpu && *gpu > 0 && *gpu <= UINT32_MAX) gpus.push_back(static_cast<std::uint32_t>(*gpu));
  }
  return gpus;
}

/// A path below a folder, put together without allocating.
class Path {
 public:
  template <class... Parts>
  explicit Path(fmt::format_string<Parts...> format, Parts... parts) {
    const auto written =
        fmt::vformat_to_n(text_.data(), text_.size() - 1, format, fmt::make_format_args(parts...));
    *written.out = '\0';
  }
  const char* c_str() const { return text_.data(); }

 private:
  std::array<char, 64> text_{};
};

Fd open_folder(int folder, const char* path) {
  return Fd(::openat(folder, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

std::optional<std::int64_t> read_number(int folder, const char* path) {
  const Fd file(::openat(folder, path, O_RDONLY | O_CLOEXEC));
  std::array<char, 32> text{};
  const ssize_t size = file ? ::read(file.get(), text.data(), text.size()) : -1;
  if (size <= 0) return std::nullopt;
  return parse_integer({text.data(), static_cast<std::size_t>(size)});
}

/// As getdents64(2) writes it.
struct Entry {
  std::uint64_t inode;
  std::int64_t next;
  std::uint16_t length;
  std::uint8_t type;
  char name[1];
};

/// Calls `each` with every name in the folder that is a number, until that returns false. False
/// where the folder cannot be read. opendir(3) would allocate.
template <class Each>
bool each_number(const Fd& folder, Each each) {
  alignas(Entry) std::array<char, 2048> buffer;
  while (true) {
    const long size = ::syscall(SYS_getdents64, folder.get(), buffer.data(), buffer.size());
    if (size <= 0) return size == 0;
    for (long at = 0; at < size;) {
      const char* const entry = buffer.data() + at;
      std::uint16_t length = 0;
      std::memcpy(&length, entry + offsetof(Entry, length), sizeof length);
      at += length;
      const auto number = parse_integer(entry + offsetof(Entry, name));
      if (!number || *number < 0 || *number > std::numeric_limits<int>::max()) continue;
      if (!each(static_cast<int>(*number))) return true;
    }
  }
}

}  // namespace

std::optional<KfdUsers> KfdUsers::of(const Host& host, std::span<const std::string> bus_ids) {
  std::vector<std::uint32_t> gpus;
  for (const std::string& bus_id : bus_ids) {
    const auto here = gpus_at(host, bus_id);
    if (here.empty()) return std::nullopt;
    gpus.insert(gpus.end(), here.begin(), here.end());
  }
  Fd folder = open_folder(AT_FDCWD, host.resolve(kProcesses).c_str());
  if (!folder || gpus.empty()) return std::nullopt;
  return KfdUsers(std::move(folder), std::move(gpus));
}

bool KfdUsers::is_here(std::uint32_t gpu) const {
  return std::find(gpus_.begin(), gpus_.end(), gpu) != gpus_.end();
}

/// Missing when that cannot be found out; one that has ended has none.
std::optional<bool> KfdUsers::has_queue(int pid) const {
  const Fd queues = open_folder(folder_.get(), Path("{}/queues", pid).c_str());
  if (!queues) return errno == ENOENT ? std::optional(false) : std::nullopt;
  bool found = false;
  const bool read = each_number(queues, [&](int queue) {
    const auto gpu = read_number(queues.get(), Path("{}/gpuid", queue).c_str());
    found = gpu && *gpu > 0 && *gpu <= UINT32_MAX && is_here(static_cast<std::uint32_t>(*gpu));
    return !found;
  });
  return read ? std::optional(found) : std::nullopt;
}

std::optional<double> KfdUsers::units_in_use(int pid) const {
  double sum = 0;
  for (const std::uint32_t gpu : gpus_) {
    const auto units =
        read_number(folder_.get(), Path("{}/stats_{}/cu_occupancy", pid, gpu).c_str());
    if (!units || *units < 0) return std::nullopt;
    sum += static_cast<double>(*units);
  }
  return sum;
}

std::optional<std::size_t> KfdUsers::list(std::span<GpuProcess> users) const {
  // A description of its own: where the last listing ended is kept with it.
  const Fd folder = open_folder(folder_.get(), ".");
  if (!folder) return std::nullopt;
  std::size_t count = 0;
  bool all_known = true;
  const bool read = each_number(folder, [&](int pid) {
    const auto uses = has_queue(pid);
    all_known = uses && (!*uses || count < users.size());
    if (all_known && *uses) users[count++] = {pid, {}};
    return all_known;
  });
  if (!read || !all_known) return std::nullopt;
  if (count < 2) return count;
  for (GpuProcess& user : users.first(count)) user.utilization = units_in_use(user.pid);
  return count;
}

}  // namespace codecarbon
