#pragma once

#include <span>
#include <string>

#include "codecarbon/report.hpp"
#include "readings/ledger.hpp"
#include "readings/selection.hpp"

namespace codecarbon {

/// All of a report that is known before anything is measured.
struct RunContext {
  std::string project_name;
  std::string run_id;
  std::string experiment_id;
  std::string experiment_name;
  std::string tracking_mode;
  double pue = 1;
  double wue = 0;
  PlaceReport place;
  IntensityReport intensity;
  SystemReport system;
};

/// Turns attributed energy into a report: sums sensors to components, applies PUE, WUE and the
/// intensity, and bounds each figure. Pure. `sensors` are those that `ledger` is indexed by.
Report assemble_report(const RunContext& context, std::span<const UsedSensor> sensors,
                       const Ledger& ledger, WallTime timestamp);

}  // namespace codecarbon
