#include "host/machine_facts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
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

/// "0x41"
std::optional<int> hexadecimal(std::string_view text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

/// The kernel gives BogoMIPS as twice the rate of the time stamp counter in MHz.
std::optional<double> ghz_of_bogomips(std::string_view text) {
  constexpr double kBogomipsPerGhz = 2000;
  constexpr double kMostGhz = 20;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !(value > 0 && value < kMostGhz * kBogomipsPerGhz)) {
    return std::nullopt;
  }
  return value / kBogomipsPerGhz;
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

  CpuIdentity take_identity() {
    if (siblings > 0 && cores_ > 0) {
      identity_.threads_per_core = std::max(1.0, static_cast<double>(siblings) / cores_);
    }
    return std::move(identity_);
  }

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
    if (key == "CPU implementer") implementer_ = hexadecimal(value);
    if (key == "CPU part") note_arm_core(hexadecimal(value));
    if (processors_ <= 1) take_first(key, value);
  }

  void take_first(std::string_view key, std::string_view value) {
    if (key == "model name") identity_.model = value;
    if (key == "vendor_id") identity_.vendor = value;
    if (key == "cpu family") identity_.family = small_integer(value).value_or(0);
    if (key == "model") identity_.model_number = small_integer(value).value_or(0);
    if (key == "siblings") siblings = small_integer(value).value_or(0);
    if (key == "cpu cores") cores_ = small_integer(value).value_or(0);
    if (key == "bogomips") identity_.base_ghz = ghz_of_bogomips(value);
    if (key == "flags") identity_.virtual_machine = has_word(value, "hypervisor");
  }

  void note_arm_core(std::optional<int> part) {
    if (!implementer_ || !part) return;
    for (ArmCores& cores : identity_.arm_cores) {
      if (cores.implementer == *implementer_ && cores.part == *part) {
        ++cores.count;
        return;
      }
    }
    identity_.arm_cores.push_back({*implementer_, *part, 1});
  }

  void note_socket(std::string_view id) {
    if (std::find(sockets_.begin(), sockets_.end(), id) == sockets_.end()) sockets_.push_back(id);
  }

  CpuIdentity identity_;
  int processors_ = 0;
  int cores_ = 0;  // physical ones of the first processor's socket
  std::optional<int> implementer_;
  std::vector<std::string_view> sockets_;
};

/// The name that the firmware gives the board.
std::string board_name(const Host& host) {
  for (const char* path : {"proc/device-tree/model", "sys/firmware/devicetree/base/model"}) {
    if (const auto text = host.read(path)) return std::string(text->c_str());  // ends with a zero
  }
  return {};
}

std::optional<int> online_processors(const Host& host) {
  const auto online = read_cpu_list(host, "sys/devices/system/cpu/online");
  return online ? std::optional(online->count()) : std::nullopt;
}

CpuIdentity from_beginning(const Host& host, int logical) {
  std::array<char, 8192> buffer;
  const auto file = host.open("proc/cpuinfo");
  const auto text = file ? file->read(buffer) : tl::expected<std::string_view, int>();
  CpuinfoReader reader(text ? *text : std::string_view());
  CpuIdentity identity = reader.take_identity();
  identity.logical = logical;
  if (reader.siblings > 0) {
    identity.sockets = std::max(1, (logical + reader.siblings / 2) / reader.siblings);
  }
  return identity;
}

CpuIdentity from_everything(const Host& host) {
  const auto cpuinfo = host.read("proc/cpuinfo");
  CpuinfoReader reader(cpuinfo ? std::string_view(*cpuinfo) : std::string_view());
  CpuIdentity identity = reader.take_identity();
  identity.sockets = reader.distinct_sockets();
  identity.logical = reader.processors() > 0 ? reader.processors() : processors_in_stat(host);
  return identity;
}

}  // namespace

CpuIdentity read_cpu_identity(const Host& host) {
  const auto logical = online_processors(host);
  CpuIdentity identity = logical ? from_beginning(host, *logical) : from_everything(host);
  if (!identity.arm_cores.empty()) identity.board = board_name(host);
  return identity;
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
