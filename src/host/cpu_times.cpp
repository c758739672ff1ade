#include "host/cpu_times.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.hpp"

namespace codecarbon {
namespace {

constexpr std::string_view kCpu = "cpu";
constexpr long kUsualTicks = 100;  // a second

enum Field : std::size_t { user, nice, system, idle, iowait, irq, softirq, steal, kFields };

/// Takes one number off `text`; missing when there is none.
std::optional<std::int64_t> take_ticks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr std::int64_t kMost = INT64_MAX / 16;  // eight of them can be added up
  if (error != std::errc{} || value < 0 || value > kMost) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// The times in what follows the name on a line of /proc/stat.
std::optional<CpuTimes> parse_fields(std::string_view fields) {
  std::array<std::int64_t, kFields> ticks{};
  for (std::size_t field = 0; field < kFields; ++field) {
    const auto value = take_ticks(fields);
    if (!value && field <= idle) return std::nullopt;
    ticks[field] = value.value_or(0);  // old kernels have fewer fields
  }
  CpuTimes times;
  times.busy = ticks[user] + ticks[nice] + ticks[system] + ticks[irq] + ticks[softirq];
  times.total = times.busy + ticks[idle] + ticks[iowait] + ticks[steal];
  return times;
}

/// The number of the processor that the line is about.
std::optional<int> processor_of(std::string_view name) {
  if (!name.starts_with(kCpu)) return std::nullopt;
  name.remove_prefix(kCpu.size());
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return number;
}

/// False when the sum is no number any more.
bool add(CpuTimes& sum, CpuTimes more) {
  if (more.total > INT64_MAX - sum.total) return false;
  sum.busy += more.busy;
  sum.total += more.total;
  return true;
}

}  // namespace

Duration kernel_tick() {
  const long per_second = ::sysconf(_SC_CLK_TCK);
  return Duration(std::chrono::seconds(1)) / (per_second > 0 ? per_second : kUsualTicks);
}

std::optional<CpuTimes> parse_cpu_times(std::string_view stat) {
  constexpr std::string_view kAll = "cpu ";
  const bool cut = stat.find('\n') == std::string_view::npos;
  if (cut || !stat.starts_with(kAll)) return std::nullopt;
  return parse_fields(take_until(stat, '\n').substr(kAll.size()));
}

std::optional<CpuTimes> parse_cpu_times(std::string_view stat, const CpuList& list) {
  CpuTimes sum;
  bool found = false;
  while (stat.starts_with(kCpu)) {
    const bool cut = stat.find('\n') == std::string_view::npos;
    auto line = take_until(stat, '\n');
    const auto processor = processor_of(take_until(line, ' '));
    if (!processor || !list.contains(*processor)) continue;
    const auto times = cut ? std::nullopt : parse_fields(line);
    if (!times || !add(sum, *times)) return std::nullopt;
    if (*processor == list.last()) return sum;
    found = true;
  }
  // Another line follows those of the processors, so the text was not cut among them.
  return found && stat.size() >= kCpu.size() ? std::optional(sum) : std::nullopt;
}

}  // namespace codecarbon
