#pragma once

#include <string>

#include "codecarbon/clock.hpp"
#include "codecarbon/report.hpp"
#include "codecarbon/units.hpp"

namespace codecarbon::cli {

/// What the live line says: energy, power of late, emissions, elapsed; at most `width` characters.
/// Power "of late" is over the time since the report before. Pure; one thread at a time.
class StatusLine {
 public:
  std::string next(const Report& report, std::size_t width);

 private:
  Energy last_energy_;
  Duration last_duration_{};
};

}  // namespace codecarbon::cli
