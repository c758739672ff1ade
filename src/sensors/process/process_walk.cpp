#include "sensors/process/process_walk.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "host/cpu_times.hpp"
#include "host/machine_facts.hpp"

namespace codecarbon::process {
namespace {

constexpr std::int64_t kUsualTicks = 100;  // a second

Duration tick_length() {
  const long per_second = ::sysconf(_SC_CLK_TCK);
  return Duration(std::chrono::seconds(1)) / (per_second > 0 ? per_second : kUsualTicks);
}

/// Ticks of any number, as a time that can be told.
Duration time_of(std::int64_t ticks, Duration length) {
  return length * std::min(ticks, Duration::max() / length);
}

}  // namespace

ProcessWalk::ProcessWalk(Files files, ProcessTree tree, std::optional<TaskClock> clock,
                         bool knows_numbers)
    : files_(std::move(files)),
      tree_(std::move(tree)),
      clock_(std::move(clock)),
      knows_numbers_(knows_numbers),
      tick_length_(tick_length()),
      page_size_(::sysconf(_SC_PAGESIZE)),
      description_(clock_ ? "task-clock event, inherited by all descendants"
                          : "/proc/PID/stat of the process and its descendants") {}

std::optional<CpuTotals> ProcessWalk::read_cpu() const {
  std::array<char, 512> buffer;
  const auto text = files_.stat.read(buffer);
  const auto machine = text ? parse_cpu_times(*text) : std::nullopt;
  if (!machine) return std::nullopt;
  CpuTotals totals;
  totals.busy = time_of(machine->busy, tick_length_);
  totals.capacity = time_of(machine->total, tick_length_);
  totals.busy_step = tick_length_;
  if (!clock_) {
    totals.own = time_of(tree_.ticks(), tick_length_);
    totals.own_error = tick_length_ * kCutSums * static_cast<std::int64_t>(tree_.live());
    return totals;
  }
  const auto own = clock_->read();
  if (!own) return std::nullopt;
  totals.own = *own;
  return totals;
}

std::optional<MemoryUse> ProcessWalk::read_memory() const {
  if (!files_.meminfo) return std::nullopt;
  std::array<char, 512> buffer;
  const auto text = files_.meminfo->read(buffer);
  if (!text) return std::nullopt;
  const auto total = meminfo_bytes(*text, "MemTotal:");
  const auto available = meminfo_bytes(*text, "MemAvailable:");
  if (!total || !available || *total <= 0) return std::nullopt;
  const std::int64_t own = std::min(tree_.pages(), *total / page_size_) * page_size_;
  return MemoryUse{own, std::clamp<std::int64_t>(*total - *available, own, *total), *total};
}

ProcessReading ProcessWalk::read(MonoTime /*tick*/) {
  tree_.look(files_.table.read());
  // Without a single process it is no /proc that was read.
  if (tree_.live() == 0) return {};
  return {read_cpu(), read_memory()};
}

std::optional<bool> ProcessWalk::owns(int pid) const {
  if (!knows_numbers_) return std::nullopt;
  return tree_.owns(pid);
}

}  // namespace codecarbon::process
