#pragma once

#include <span>
#include <string_view>

#include "codecarbon/error.hpp"
#include "codecarbon/report.hpp"

namespace codecarbon {

/// Takes reports somewhere. Called by one thread at a time, in the order of the reports, and never
/// while a lock of the tracker is held; may block for I/O. A failed write may be tried again later
/// with the same report, so a failure must leave nothing of it behind.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual std::string_view name() const = 0;
  /// Whether a later report of a run takes the place of the earlier ones, so that of several that
  /// wait to be written only the last one matters.
  virtual bool replaces() const { return false; }
  /// How many intervals of `measure_power_secs` lie between two calls of `write_live` while the run
  /// is on; 0: it is not wanted. With several sinks the smallest number counts for all that want
  /// it.
  virtual int live_every() const { return 0; }
  /// The totals between rows. A failure is said once and not tried again: the next one tells more.
  virtual Status write_live(const Report& report) {
    (void)report;
    return {};
  }
  /// At every pause, flush and stop.
  virtual Status write(const Report& report) = 0;
  /// At stop, when tasks were measured.
  virtual Status write_tasks(std::span<const TaskReport> tasks) = 0;
  /// After all that a stop has written. More comes only if the run is started again.
  virtual Status finish() { return {}; }
};

}  // namespace codecarbon
