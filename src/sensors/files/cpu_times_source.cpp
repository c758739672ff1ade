#include "sensors/files/cpu_times_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace codecarbon {
namespace {

constexpr std::string_view kStat = "proc/stat";
constexpr std::size_t kFirstLine = 512;

ReadFault fault_of(const tl::expected<std::string_view, int>& text) {
  if (!text) return ReadFault::unreadable;
  return text->empty() ? ReadFault::empty : ReadFault::garbage;
}

std::optional<OpenedTimes> opened(std::unique_ptr<CpuTimesSource> source, MonoTime now,
                                  std::string description, Duration unit) {
  const auto first = source->read(now);
  if (!first) return std::nullopt;
  return OpenedTimes{std::move(source), *first, std::move(description), unit};
}

std::optional<OpenedTimes> open_group(const Host& host, const ResourceLimits& limits) {
  if (!limits.processors || !limits.cpu_time_file) return std::nullopt;
  auto file = host.open(*limits.cpu_time_file);
  if (!file) return std::nullopt;
  const MonoTime now = host.clock().now();
  return opened(std::make_unique<CgroupTimes>(std::move(*file), *limits.processors, now), now,
                host.resolve(*limits.cpu_time_file).string(), std::chrono::nanoseconds(1));
}

std::optional<OpenedTimes> open_list(const Host& host, const ResourceLimits& limits) {
  if (!limits.processor_list) return std::nullopt;
  const auto whole = host.read(kStat);
  auto file = host.open(kStat);
  if (!whole || !file) return std::nullopt;
  const std::string last = fmt::format("\ncpu{} ", limits.processor_list->last());
  const auto line = whole->find(last);
  if (line == std::string::npos) return std::nullopt;
  const auto end = whole->find('\n', line + 1);
  if (end == std::string::npos) return std::nullopt;
  return opened(std::make_unique<StatTimes>(std::move(*file), *limits.processor_list, end + 1),
                host.clock().now(),
                fmt::format("{} of the processors in {}", limits.processor_list->count(),
                            host.resolve(kStat).string()),
                kernel_tick());
}

}  // namespace

StatTimes::StatTimes(KeptFile stat) : stat_(std::move(stat)), buffer_(kFirstLine) {}

StatTimes::StatTimes(KeptFile stat, CpuList list, std::size_t size)
    : stat_(std::move(stat)), list_(std::move(list)), buffer_(2 * size + kFirstLine) {}

tl::expected<CpuTimes, ReadFault> StatTimes::read(MonoTime /*now*/) {
  const auto text = stat_.read(buffer_);
  const auto times = !text   ? std::nullopt
                     : list_ ? parse_cpu_times(*text, *list_)
                             : parse_cpu_times(*text);
  if (!times) return tl::unexpected(fault_of(text));
  return *times;
}

CgroupTimes::CgroupTimes(KeptFile cpu_time, double processors, MonoTime start)
    : cpu_time_(std::move(cpu_time)), processors_(processors), start_(start) {}

tl::expected<CpuTimes, ReadFault> CgroupTimes::read(MonoTime now) {
  std::array<char, 1024> buffer;
  const auto text = cpu_time_.read(buffer);
  const auto used = text ? parse_cgroup_cpu_time(*text) : std::nullopt;
  if (!used) return tl::unexpected(fault_of(text));
  const auto allowed = static_cast<double>((now - start_).count()) * processors_;
  return CpuTimes{*used, std::llround(allowed)};
}

Result<OpenedTimes> open_cpu_times(const Host& host, const ResourceLimits& limits) {
  if (auto group = open_group(host, limits)) return std::move(*group);
  if (auto list = open_list(host, limits)) return std::move(*list);
  auto file = host.open(kStat);
  if (!file) return tl::unexpected(file.error());
  const std::string path = host.resolve(kStat).string();
  auto machine = opened(std::make_unique<StatTimes>(std::move(*file)), host.clock().now(), path,
                        kernel_tick());
  if (!machine) return fail(ErrorKind::format, path + " does not say what it should");
  machine->of_all_only = limits.processors.has_value();
  return std::move(*machine);
}

}  // namespace codecarbon
