#pragma once

#include <optional>

#include "host/cpu_times.hpp"

namespace codecarbon::modelled {

/// Turns successive times into the load between them. Pure; one thread at a time.
class LoadMeter {
 public:
  explicit LoadMeter(CpuTimes first) : last_(first) {}
  /// Load from 0 to 1 since the last call that gave one. Nothing when no tick has passed, or time
  /// went backwards (then it starts anew).
  std::optional<double> advance(CpuTimes now);

 private:
  CpuTimes last_;
};

}  // namespace codecarbon::modelled
