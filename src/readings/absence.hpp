#pragma once

#include <optional>

#include "readings/interval.hpp"
#include "readings/sensor.hpp"

namespace codecarbon {

/// Nothing is known of this stretch: what flowed may be all that the hardware can use.
Gap missing(const SensorInfo& info, MonoTime from, MonoTime to, GapCause cause);

/// Since when a sensor owes a good reading: from the moment at which counting was to begin, or
/// because the newest readings are faults. Pure; one thread at a time.
class Absence {
 public:
  /// `info` must outlive it.
  explicit Absence(const SensorInfo& info) : info_(&info) {}

  /// Counting begins at `at`, and so does the wait for a first good reading.
  void begin(MonoTime at);
  /// Takes note of the newest reading. Returns whether the one before was a fault.
  bool note(bool fault);
  bool is_faulty() const { return faulty_; }
  /// The first good reading came at `at`: the stretch that was waited for it, if there is one.
  std::optional<Interval> end(MonoTime at);
  /// What is missing at `now`; `last_good` is the time of the last good reading, if there was one.
  std::optional<Gap> unresolved(std::optional<MonoTime> last_good, MonoTime now) const;

 private:
  const SensorInfo* info_;
  std::optional<MonoTime> awaited_since_;
  bool faulty_ = false;
};

}  // namespace codecarbon
