#pragma once

#include <cstdint>
#include <optional>

#include "readings/reading.hpp"

namespace codecarbon {

/// How a source was seen to move: what it promises may be finer than what it does.
struct Pace {
  std::int64_t smallest_step = 0;  ///< in the sensor's quantity; above zero
  Duration update_period{};        ///< mean time from one change to the next
};

/// Watches the readings of one sensor, taken in quick succession. Pure; one thread at a time.
class Observation {
 public:
  /// `at` is when the reading was taken. Faults are passed over.
  void note(MonoTime at, const Reading& reading);
  /// Missing until two changes were seen.
  std::optional<Pace> pace() const;

 private:
  std::optional<std::int64_t> last_;
  std::optional<MonoTime> first_change_;
  MonoTime last_change_{};
  int changes_ = 0;
  std::int64_t smallest_step_ = 0;
};

}  // namespace codecarbon
