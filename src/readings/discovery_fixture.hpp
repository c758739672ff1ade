#pragma once
/// \file
/// For tests only: what a back-end found, and one reading of it.

#include <algorithm>

#include "readings/probe.hpp"

namespace codecarbon::testing_support {

/// How many findings have this outcome.
inline std::size_t count(const Discovery& found, Finding::Outcome outcome) {
  return static_cast<std::size_t>(
      std::count_if(found.findings.begin(), found.findings.end(),
                    [&](const Finding& finding) { return finding.outcome == outcome; }));
}

/// The reading of a probe with one sensor.
inline Reading read(Probe& probe, MonoTime at = {}) {
  Reading reading;
  probe.read(at, {&reading, 1});
  return reading;
}

}  // namespace codecarbon::testing_support
