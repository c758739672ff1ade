#pragma once

#include <optional>

#include "readings/absence.hpp"
#include "readings/interval.hpp"
#include "readings/reading.hpp"
#include "readings/sensor.hpp"

namespace codecarbon {

/// Turns the readings of a power gauge into intervals by the trapezoid rule. The running total is
/// kept in units far below a microjoule and rounded as a total, so steps never pile up rounding.
/// Pure; one thread at a time.
class PowerIntegrator {
 public:
  /// `info` must outlive the integrator.
  explicit PowerIntegrator(const SensorInfo& info) : info_(&info), absence_(info) {}

  /// True when the reading is no power that the hardware can use, and the one before was.
  bool suspicious(const Reading& reading) const;
  /// Nothing when it was the first reading or a fault. After faults the missing stretch is a gap:
  /// its two ends are known but not what happened between.
  std::optional<Interval> advance(const Reading& reading);
  std::optional<Gap> unresolved(MonoTime now) const;
  /// As Counter::rebase.
  void rebase(MonoTime at);

 private:
  __extension__ using Wide = __int128;
  struct Sample {
    MonoTime at;
    std::int64_t power_uw;
  };
  bool is_fault(const Reading& reading) const;
  Energy total() const;

  const SensorInfo* info_;
  Absence absence_;
  std::optional<Sample> last_;
  Wide doubled_total_ = 0;  // 2 x microwatts x nanoseconds
};

}  // namespace codecarbon
