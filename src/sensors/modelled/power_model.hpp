#pragma once

#include <optional>

#include "codecarbon/units.hpp"
#include "readings/idle_share.hpp"

namespace codecarbon::modelled {

// tools/power_model.py fits these to public measurements, and its --check holds them against the
// fit. docs/models.md says what each means and how far off the model was where it could be tried.

/// A busy core: watts x (process in nm / 14)^a x (clock in GHz)^b.
inline constexpr double kCoreWatts = 1.66;
inline constexpr double kProcessExponent = 0.61;
inline constexpr double kClockExponent = 1.27;

/// What rests when nothing runs, as a share of the rated power; of several dies it is
/// kSeveralDiesIdleShare.
inline constexpr double kOneDieIdleShare = 0.06;

/// What wakes with the first core and joins several dies, as a share of the rated power.
inline constexpr double kFabricShare = 0.11;

/// All cores busy, as a share of the rated power, where too little is known of them.
inline constexpr double kCoresShare = 0.71;

/// Rated watts for each hardware thread of server processors of which only the maker is known.
inline constexpr double kIntelServerWattsPerThread = 3.4;
inline constexpr double kAmdServerWattsPerThread = 1.7;

/// How far off the modelled power may be, as a fraction of it.
inline constexpr double kLoadModelBound = 0.81;

/// The same where even the rated power is a guess: the truth may be anything up to twice as much.
inline constexpr double kGenericBound = 1.0;

/// What the model needs to know of the processors of a machine, all together.
struct ProcessorFacts {
  Power rated;
  double cores = 0;             ///< physical ones; 0 when unknown
  double threads_per_core = 1;  ///< logical processors in a core, at least 1
  std::optional<double> process_nm;
  std::optional<double> base_ghz;  ///< the clock that all cores can hold
  double idle_share = kOneDieIdleShare;
  double fabric_share = 0;
};

/// Power of processors at a load u from 0 to 1, of n logical processors with t in a core:
///
///     P(u) = min(rated, idle + fabric (1 - (1 - u)^n) + cores (1 - (1 - u)^t) (clock / base)^b)
///
/// The brackets are the chances that any thread at all, and that any thread of a core, is busy.
/// Grows with the load and with the clock. A plain value.
class PowerCurve {
 public:
  explicit PowerCurve(const ProcessorFacts& facts);

  /// A load outside 0 to 1 counts as the nearer end. `clock` is the mean clock of the cores as a
  /// multiple of their base clock. Missing, cores are taken to run at that, and t for (1 + t) / 2:
  /// most machines clock cores lower that have little to do.
  Power at(double load, std::optional<double> clock = std::nullopt) const;
  /// It is never more than this.
  Power most() const { return most_; }
  /// The curve of a part of these processors, or of several times as many.
  PowerCurve scaled(double share) const;

  bool operator==(const PowerCurve&) const = default;

 private:
  Power idle_;
  Power fabric_;
  Power cores_;
  Power most_;
  double threads_;
  double threads_per_core_;
};

}  // namespace codecarbon::modelled
