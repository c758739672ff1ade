#include "readings/observation.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace codecarbon {

void Observation::note(MonoTime at, const Reading& reading) {
  if (!reading.value) return;
  const auto before = std::exchange(last_, *reading.value);
  if (!before || *before == *reading.value) return;
  const std::int64_t step = std::abs(*reading.value - *before);
  smallest_step_ = changes_ == 0 ? step : std::min(smallest_step_, step);
  if (!first_change_) first_change_ = at;
  last_change_ = at;
  ++changes_;
}

std::optional<Pace> Observation::pace() const {
  if (changes_ < 2) return std::nullopt;
  return Pace{smallest_step_, (last_change_ - *first_change_) / (changes_ - 1)};
}

}  // namespace codecarbon
