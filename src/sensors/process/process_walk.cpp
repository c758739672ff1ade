#include "sensors/process/process_walk.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "host/cpu_times.hpp"
#include "host/machine_facts.hpp"

namespace codecarbon::process {

ProcessWalk::ProcessWalk(Files files, ProcessTree tree, std::optional<TaskClock> clock,
                         bool knows_numbers)
    : files_(std::move(files)),
      tree_(std::move(tree)),
      clock_(std::move(clock)),
      knows_numbers_(knows_numbers),
      tick_length_(kernel_tick()),
      page_size_(::sysconf(_SC_PAGESIZE)),
      description_(clock_ ? "task-clock event, inherited by all descendants"
                          : "/proc/PID/stat of the process and its descendants") {}

std::optional<ProcessWalk::OwnTime> ProcessWalk::read_own_time() const {
  if (!clock_) {
    return OwnTime{ticks_as_time(tree_.ticks(), tick_length_),
                   tick_length_ * kCutSums * static_cast<std::int64_t>(tree_.live())};
  }
  const auto own = clock_->read();
  return own ? std::optional(OwnTime{*own, {}}) : std::nullopt;
}

std::optional<CpuTotals> ProcessWalk::read_cpu(const OwnTime& own) const {
  std::array<char, 512> buffer;
  const auto text = files_.stat.read(buffer);
  const auto machine = text ? parse_cpu_times(*text) : std::nullopt;
  if (!machine) return std::nullopt;
  return CpuTotals{own.time, ticks_as_time(machine->busy, tick_length_),
                   ticks_as_time(machine->total, tick_length_), own.error, tick_length_};
}

std::int64_t ProcessWalk::own_memory() const {
  return std::min(tree_.pages(), INT64_MAX / page_size_) * page_size_;
}

std::optional<MemoryUse> ProcessWalk::read_memory() const {
  if (!files_.meminfo) return std::nullopt;
  std::array<char, 512> buffer;
  const auto text = files_.meminfo->read(buffer);
  if (!text) return std::nullopt;
  const auto total = meminfo_bytes(*text, "MemTotal:");
  const auto available = meminfo_bytes(*text, "MemAvailable:");
  if (!total || !available || *total <= 0) return std::nullopt;
  const std::int64_t own = std::min(own_memory(), *total);
  return MemoryUse{own, std::clamp<std::int64_t>(*total - *available, own, *total), *total};
}

ProcessReading ProcessWalk::read(MonoTime tick) {
  tree_.look(files_.table.read());
  // Without a single process it is no /proc that was read.
  if (tree_.live() == 0) return {};
  ProcessReading reading;
  if (const auto own = read_own_time()) {
    reading.cpu = read_cpu(*own);
    reading.part_cpu = files_.part.cpu(tick, own->time, own->error);
  }
  reading.memory = read_memory();
  reading.part_memory = files_.part.memory(own_memory());
  return reading;
}

std::optional<bool> ProcessWalk::owns(int pid) const {
  if (!knows_numbers_) return std::nullopt;
  return tree_.owns(pid);
}

}  // namespace codecarbon::process
