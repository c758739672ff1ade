#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "sensors/simulated/dial.hpp"

namespace codecarbon::simulated {

/// The faults of one sensor. One thread at a time; no allocation after construction.
class Faults {
 public:
  explicit Faults(std::vector<Fault> faults) : faults_(std::move(faults)) {}
  /// Only those that take the whole device away.
  static Faults of_device(const std::vector<Fault>& faults);

  /// What is shown in place of any number at `t`; nothing when a number is shown.
  std::optional<Dial::Shown> answer(Duration t) const;
  /// The moment whose number is shown at `t`: earlier than `t` while frozen.
  Duration seen_at(Duration t) const;
  /// What the next glitch adds to the number, once each; 0 mostly.
  std::int64_t take_glitch(Duration t);
  /// The last reset until `t`.
  std::optional<Duration> last_reset(Duration t) const;
  /// Calls `each(from, to)` for every stretch before `t` in which the counter was stuck.
  template <class Each>
  void stuck_before(Duration t, Each each) const {
    for (const Fault& fault : faults_) {
      if (fault.kind == FaultKind::stuck && fault.from < t) each(fault.from, std::min(fault.to, t));
    }
  }

 private:
  std::vector<Fault> faults_;
  std::size_t glitches_ = 0;  // passed so far
};

}  // namespace codecarbon::simulated
