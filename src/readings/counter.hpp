#pragma once

#include <optional>

#include "readings/absence.hpp"
#include "readings/interval.hpp"
#include "readings/reading.hpp"
#include "readings/sensor.hpp"

namespace codecarbon {

/// Turns the readings of an energy counter into intervals. Pure; one thread at a time.
///
/// A fault (no value, or a zero where the counter stood higher) keeps the baseline, so the next
/// good reading loses nothing. A falling value is a wrap only if the counter declares its range and
/// the energy that the wrap would mean is plausible; otherwise, and after a rise beyond the
/// plausible, the reading is suspicious: read again, and if the second reading is no better it is a
/// reset.
class Counter {
 public:
  /// How long a source may lag behind the energy it counts. At the baseline it is not known when a
  /// source that publishes once a second, or a slow writer, did so last; later it has been seen.
  static constexpr Duration kFirstLag = std::chrono::seconds(1);
  static constexpr Duration kUsualLag = std::chrono::milliseconds(100);
  /// A working counter moves at least this often, or makes up for it when it moves again.
  static constexpr Duration kStallAfter = std::chrono::milliseconds(500);

  /// `info` must outlive the counter.
  explicit Counter(const SensorInfo& info) : info_(&info), absence_(info) {}

  /// True when the reading contradicts the baseline, or is the first of a row of faults, and should
  /// be read once more before `advance`.
  bool suspicious(const Reading& reading) const;

  /// Takes the reading in. Nothing when it set the first baseline or was a fault.
  std::optional<Interval> advance(const Reading& reading);

  /// What is unknown at `now` because the last readings were faults, or because the counter stands
  /// still; nothing when all is well.
  std::optional<Gap> unresolved(MonoTime now) const;

  /// Forgets the baseline: what flowed until `at` is nobody's, and counting starts with a reading
  /// at that moment. As long as that reading is a fault the time since `at` is a gap.
  void rebase(MonoTime at);

 private:
  struct Baseline {
    MonoTime at;
    std::int64_t value;
    MonoTime changed_at;  // when the value was last seen to move
    bool moved;           // whether it was seen to move at all since the first reading
  };

  static bool is_fault(const Reading& reading, const std::optional<Baseline>& baseline);
  std::optional<Energy> plausible_step(std::int64_t value, MonoTime at) const;
  std::optional<Interval> first(const Reading& reading);
  Interval rise(const Reading& reading, Energy step);
  Interval reset(const Reading& reading);
  bool caught_up(Energy step, MonoTime now) const;
  std::optional<Gap> overrun(MonoTime now) const;
  std::optional<Gap> stall(MonoTime now) const;

  const SensorInfo* info_;
  Absence absence_;
  std::optional<Baseline> baseline_;
  Energy paced_energy_;    // what it counted while it moved steadily,
  Duration paced_time_{};  // and for how long
};

}  // namespace codecarbon
