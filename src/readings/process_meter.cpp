#include "readings/process_meter.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace codecarbon {
namespace {

/// Both ends of what each processor was busy for are off by a step at most, and those that idled
/// are off by none.
Duration busy_error(const CpuUse& use, Duration step, Duration length) {
  if (length <= Duration::zero()) return {};
  return 2 * step * (1 + use.busy / length);
}

std::optional<CpuUse> between(const std::optional<CpuTotals>& before,
                              const std::optional<CpuTotals>& after, Duration length) {
  if (!before || !after) return std::nullopt;
  CpuUse use{after->own - before->own,
             after->busy - before->busy,
             after->capacity - before->capacity,
             before->own_error + after->own_error,
             {}};
  if (use.own < Duration::zero() || use.capacity <= Duration::zero()) return std::nullopt;
  // The kernel's sums of idle and I/O time may step back a little.
  use.busy = std::clamp(use.busy, Duration::zero(), use.capacity);
  use.busy_error = busy_error(use, after->busy_step, length);
  return use;
}

std::optional<MemoryUse> mean(const std::optional<MemoryUse>& before,
                              const std::optional<MemoryUse>& after) {
  if (!before || !after) return std::nullopt;
  return MemoryUse{std::midpoint(before->own, after->own), std::midpoint(before->used, after->used),
                   after->total};
}

}  // namespace

std::optional<ProcessUse> ProcessMeter::advance(MonoTime at, const ProcessReading& reading) {
  const auto before = std::exchange(last_, Taken{at, reading});
  if (!before) return std::nullopt;
  had_use_ = true;
  const ProcessReading& last = before->reading;
  const Duration length = at - before->at;
  return ProcessUse{before->at,
                    at,
                    between(last.cpu, reading.cpu, length),
                    mean(last.memory, reading.memory),
                    between(last.part_cpu, reading.part_cpu, length),
                    mean(last.part_memory, reading.part_memory)};
}

bool ProcessMeter::is_due(MonoTime at, Duration shortest) const {
  if (!last_) return true;
  return at > last_->at && (!had_use_ || at - last_->at >= shortest);
}

void ProcessMeter::rebase() {
  last_.reset();
  had_use_ = false;
}

}  // namespace codecarbon
