#include "host/machine_facts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "base/text.hpp"
#include "host/cpu_list.hpp"

namespace codecarbon {
namespace {

/// Takes the first line off `text`.
std::string_view take_line(std::string_view& text) {
  return take_until(text, '\n');
}

std::optional<int> small_integer(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

bool has_word(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto after = at + word.size();
    if ((at == 0 || text[at - 1] == ' ') && (after == text.size() || text[after] == ' ')) {
      return true;
    }
  }
  return false;
}

/// /proc/cpuinfo, whole or only its beginning.
class CpuinfoReader {
 public:
  explicit CpuinfoReader(std::string_view text) {
    while (!text.empty()) take(take_line(text));
  }

  CpuIdentity identity;
  int siblings = 0;  // logical processors of the first one's socket

  int processors() const { return processors_; }
  int distinct_sockets() const { return std::max(1, static_cast<int>(sockets_.size())); }

 private:
  void take(std::string_view line) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return;
    const auto key = trimmed(line.substr(0, colon));
    const auto value = trimmed(line.substr(colon + 1));
    if (key == "processor" && small_integer(value)) ++processors_;
    if (key == "physical id") note_socket(value);
    if (processors_ <= 1) take_first(key, value);
  }

  void take_first(std::string_view key, std::string_view value) {
    if (key == "model name") identity.model = value;
    if (key == "vendor_id") identity.vendor = value;
    if (key == "siblings") siblings = small_integer(value).value_or(0);
    if (key == "flags") identity.virtual_machine = has_word(value, "hypervisor");
  }

  void note_socket(std::string_view id) {
    if (std::find(sockets_.begin(), sockets_.end(), id) == sockets_.end()) sockets_.push_back(id);
  }

  int processors_ = 0;
  std::vector<std::string_view> sockets_;
};

std::optional<int> online_processors(const Host& host) {
  const auto online = read_cpu_list(host, "sys/devices/system/cpu/online");
  return online ? std::optional(online->count()) : std::nullopt;
}

CpuIdentity from_beginning(const Host& host, int logical) {
  std::array<char, 8192> buffer;
  const auto file = host.open("proc/cpuinfo");
  const auto text = file ? file->read(buffer) : tl::expected<std::string_view, int>();
  CpuinfoReader reader(text ? *text : std::string_view());
  reader.identity.logical = logical;
  if (reader.siblings > 0) {
    reader.identity.sockets = std::max(1, (logical + reader.siblings / 2) / reader.siblings);
  }
  return reader.identity;
}

CpuIdentity from_everything(const Host& host) {
  const auto cpuinfo = host.read("proc/cpuinfo");
  const CpuinfoReader reader(cpuinfo ? std::string_view(*cpuinfo) : std::string_view());
  CpuIdentity identity = reader.identity;
  identity.sockets = reader.distinct_sockets();
  identity.logical = reader.processors() > 0 ? reader.processors() : processors_in_stat(host);
  return identity;
}

}  // namespace

CpuIdentity read_cpu_identity(const Host& host) {
  if (const auto logical = online_processors(host)) return from_beginning(host, *logical);
  return from_everything(host);
}

int processors_in_stat(const Host& host) {
  const auto stat = host.read("proc/stat");
  std::string_view text = stat ? std::string_view(*stat) : std::string_view();
  int count = 0;
  while (!text.empty()) {
    const auto line = take_line(text);
    count += line.starts_with("cpu") && !line.starts_with("cpu ") ? 1 : 0;
  }
  return count;
}

std::optional<std::int64_t> memory_total_bytes(const Host& host) {
  std::array<char, 512> buffer;
  const auto file = host.open("proc/meminfo");
  if (!file) return std::nullopt;
  const auto text = file->read(buffer);
  return text ? meminfo_bytes(*text, "MemTotal:") : std::nullopt;
}

std::optional<std::int64_t> meminfo_bytes(std::string_view meminfo, std::string_view key) {
  constexpr std::int64_t kMostKilobytes = INT64_MAX / 1024;
  while (!meminfo.empty()) {
    auto line = take_line(meminfo);
    if (!line.starts_with(key)) continue;
    line.remove_prefix(key.size());
    const auto number = trimmed(line);
    if (!number.ends_with("kB")) return std::nullopt;
    const auto kilobytes = parse_integer(number.substr(0, number.size() - 2));
    if (!kilobytes || *kilobytes < 0 || *kilobytes > kMostKilobytes) return std::nullopt;
    return *kilobytes * 1024;
  }
  return std::nullopt;
}

}  // namespace codecarbon
