#pragma once

#include <optional>
#include <span>

#include "codecarbon/clock.hpp"
#include "codecarbon/units.hpp"
#include "readings/process.hpp"

namespace codecarbon {

/// How the energy of one stretch of time is divided. What is neither own nor idle is the rest: that
/// of others. All fractions are from 0 to 1; own and idle together are at most 1.
struct Share {
  double own = 0;    ///< of the tracked processes
  double idle = 0;   ///< nobody's: for keeping unused capacity ready
  double bound = 0;  ///< how far off `own` may be
};

/// The CPU time of one stretch.
struct CpuUse {
  Duration own{};
  Duration busy{};
  Duration capacity{};
  Duration own_error{};
  Duration busy_error{};
};

/// What part of its power a processor at this load (0 to 1) would draw without any work, at full
/// load kSeveralDiesIdleShare, the rest growing with the load: of any processor, for want of
/// knowing its build. Of measured processors it was off by 0.10 in the mean (docs/models.md).
double idle_part(double load);

/// The part above idle goes by CPU time to who used it; of the idle part each processor second gets
/// an equal slice, and those that nobody used stay nobody's. Missing where no time has passed.
std::optional<Share> cpu_share(const CpuUse& use);

/// By resident memory: free memory is nobody's. Missing without a total.
std::optional<Share> memory_share(const MemoryUse& use);

/// Of a device, by the processes on it: a sole user gets it whole, and where nobody uses it, it is
/// idle. Several share it by utilisation; missing where that or the meaning of a number is unknown.
std::optional<Share> device_share(std::span<const GpuProcess> users, const ProcessSource& tracked);

/// An amount of energy divided among the tracked processes, others and nobody, to the microjoule.
struct Split {
  Energy own;
  Energy rest;  ///< of others; also what could not be divided
  Energy idle;
  Energy bound;             ///< how far off `own` may be by the way it was divided
  Energy undivided;         ///< part of `rest` whose owner is unknown; `bound` has it too
  Duration unknown_time{};  ///< for which nothing was known of the processes

  Energy total() const { return own + rest + idle; }
  /// Divides `energy` (0 or more); all of it is the rest where the share is unknown. What rounding
  /// takes is given back by the next steps, so that it does not pile up.
  void add(Energy energy, const std::optional<Share>& share);
  bool operator==(const Split&) const = default;

 private:
  double own_carry_ = 0;  // microjoules that rounding took, -0.5 to 0.5
  double idle_carry_ = 0;
};

}  // namespace codecarbon
