#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "readings/interval.hpp"
#include "readings/share.hpp"

namespace codecarbon {

/// All that one sensor has given to one window.
struct Account {
  Energy energy;
  Energy bound;                                 ///< of the way the energy was obtained
  std::array<Duration, kGapCauses> gaps{};      ///< time without figures, by cause
  std::array<Energy, kGapCauses> gap_bounds{};  ///< what may be missing from it
  Power peak;   ///< highest mean power over an interval long enough to have one
  Split split;  ///< of `energy`, as far as it has been divided

  void add(const Gap& gap);
  Duration gap_time() const;
  Energy gap_bound() const;
  bool operator==(const Account&) const = default;
};

/// A time-weighted sum of a gauge.
struct UsageAccount {
  double weighted = 0;  ///< value x seconds
  Duration time{};

  std::optional<double> mean() const;
  bool operator==(const UsageAccount&) const = default;
};

/// All intervals of one window, attributed to sensors and free of carbon: a better intensity can be
/// applied to it later. Indexed by sensor; a sensor is an energy or a usage sensor, never both.
struct Ledger {
  std::vector<Account> energies;
  std::vector<UsageAccount> usages;
  Duration active{};
  int segments = 0;  ///< how often the window was opened: each end may be off by one counter step

  explicit Ledger(std::size_t sensors) : energies(sensors), usages(sensors) {}
};

/// A named or unnamed stretch of program time made of segments: a run is open from start to pause
/// and from resume to stop. Intervals are attributed by their overlap with the open segment; one
/// that only partly overlaps carries the uncertainty of the split in its bound.
/// Pure; one thread at a time.
class Window {
 public:
  explicit Window(std::size_t sensors) : ledger_(sensors) {}

  bool is_open() const { return opened_at_.has_value(); }
  /// Ignored when already open.
  void open(MonoTime at);
  /// Ends the segment. Gaps that are unresolved at that moment are to be added before.
  void close(MonoTime at);

  /// Ignored while closed. `shortest` is the least length over which a mean power says something.
  void add(std::size_t sensor, const Interval& interval, Duration shortest);
  /// A gap that ends at `now`; only what lies in the open segment counts.
  void add(std::size_t sensor, const Gap& gap, MonoTime now);
  void add_usage(std::size_t sensor, double value, MonoTime from, MonoTime to);
  /// Divides what was added since the last call; `share` is that of the stretch from `from` to
  /// `to`. How the share came about while the window was closed is not known: its bound grows to
  /// all of it. Ignored while closed.
  void divide(std::size_t sensor, std::optional<Share> share, MonoTime from, MonoTime to);

  /// The totals at `now`, the open segment included.
  Ledger totals(MonoTime now) const;

 private:
  Duration overlap(MonoTime from, MonoTime to) const;

  std::optional<MonoTime> opened_at_;
  Ledger ledger_;
};

}  // namespace codecarbon
