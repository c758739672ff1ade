#pragma once

#include <optional>
#include <vector>

#include "host/host.hpp"
#include "host/machine_facts.hpp"

namespace codecarbon::modelled {

/// How fast the cores run, from cpufreq. Of many cores only a few, evenly spread, are asked, so
/// that a look costs a handful of reads on any machine; it allocates nothing. One thread at a time.
class ClockGauge {
 public:
  /// Knows no clock.
  ClockGauge() = default;
  /// Knows none either where there is no cpufreq, where the base clock is unknown, or where the
  /// kernel would wait for 10 ms at each look (x86 before Linux 5.18).
  static ClockGauge open(const Host& host, const CpuIdentity& cpu);

  /// The mean clock as a multiple of the base clock; missing when no core gives it.
  std::optional<double> of_base() const;

 private:
  std::vector<KeptFile> files_;
  double base_khz_ = 1;
};

}  // namespace codecarbon::modelled
