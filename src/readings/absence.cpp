#include "readings/absence.hpp"

#include <utility>

namespace codecarbon {

Gap missing(const SensorInfo& info, MonoTime from, MonoTime to, GapCause cause) {
  const Duration length = to - from;
  return {cause, length, info.plausible_power * length};
}

void Absence::begin(MonoTime at) {
  awaited_since_ = at;
  faulty_ = false;
}

bool Absence::note(bool fault) {
  return std::exchange(faulty_, fault);
}

std::optional<Interval> Absence::end(MonoTime at) {
  const MonoTime since = std::exchange(awaited_since_, std::nullopt).value_or(at);
  if (since == at) return std::nullopt;
  return Interval{since, at, Energy{}, Energy{}, missing(*info_, since, at, GapCause::unreadable)};
}

std::optional<Gap> Absence::unresolved(std::optional<MonoTime> last_good, MonoTime now) const {
  const auto since = awaited_since_ ? awaited_since_ : last_good;
  if (!since || !(awaited_since_ || faulty_)) return std::nullopt;
  return missing(*info_, *since, now, GapCause::unreadable);
}

}  // namespace codecarbon
