#include "sensors/process/part_use.hpp"

#include <algorithm>
#include <chrono>

#include "host/machine_facts.hpp"

namespace codecarbon::process {
namespace {

Duration part(Duration whole, double share) {
  return std::chrono::duration_cast<Duration>(whole * share);
}

}  // namespace

PartUse::PartUse(const Host& host, const ResourceLimits& limits) {
  if (limits.processors) {
    if (auto times = open_cpu_times(host, limits)) times_ = std::move(*times);
    const int all = processors_in_stat(host);
    if (times_ && times_->of_all_only && all > 0) {
      share_of_all_ = std::min(*limits.processors / all, 1.0);
    }
  }
  if (limits.memory_bytes && *limits.memory_bytes > 0) {
    memory_limit_ = *limits.memory_bytes;
    if (auto memory = open_memory(host, limits)) memory_ = std::move(*memory);
  }
}

std::optional<CpuTotals> PartUse::cpu(MonoTime tick, Duration own, Duration own_error) const {
  if (!times_) return std::nullopt;
  const auto times = times_->source->read(tick);
  if (!times) return std::nullopt;
  CpuTotals totals{own, ticks_as_time(times->busy, times_->unit),
                   ticks_as_time(times->total, times_->unit), own_error, times_->unit};
  if (!times_->of_all_only) return totals;
  totals.busy = part(totals.busy, share_of_all_);
  totals.capacity = part(totals.capacity, share_of_all_);
  totals.own_error += totals.capacity;  // that it is as busy as the whole machine is a guess
  return totals;
}

std::optional<MemoryUse> PartUse::memory(std::int64_t own) const {
  if (!memory_) return std::nullopt;
  const auto used = memory_->source->read();
  if (!used) return std::nullopt;
  const double full = static_cast<double>(*used) / static_cast<double>(memory_->total);
  const auto used_of_limit = static_cast<std::int64_t>(full * static_cast<double>(memory_limit_));
  const std::int64_t mine = std::min(own, memory_limit_);
  return MemoryUse{mine, std::clamp(used_of_limit, mine, memory_limit_), memory_limit_};
}

}  // namespace codecarbon::process
