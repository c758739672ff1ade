#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codecarbon/report.hpp"
#include "readings/ledger.hpp"
#include "readings/selection.hpp"

namespace codecarbon {

/// What a report says of the processes that are tracked.
enum class ShareUse {
  none,     ///< nothing: nobody looked at them
  beside,   ///< their share, beside the machine's figures
  figures,  ///< their share, which is also the report's figures
};

/// All of a report that is known before anything is measured.
struct RunContext {
  std::string project_name;
  std::string run_id;
  std::string experiment_id;
  std::string experiment_name;
  std::string tracking_mode;
  std::optional<JobReport> job{};
  ShareUse share_use = ShareUse::none;
  std::string share_source;  ///< how the processes' CPU time is had
  double pue = 1;
  double wue = 0;
  PlaceReport place;
  IntensityReport intensity;
  SystemReport system;
};

/// What a window measured, summed to components, PUE included: of a fixed small size, however many
/// sensors there are.
struct Summary {
  struct Sum {
    Energy energy;
    Energy bound;
    Duration gap{};
  };
  Duration active{};
  Sum cpu;
  Sum gpu;
  Sum ram;
  Sum node;
  std::optional<ProcessShare> share;
  UsageReport usage;
  std::vector<std::string> notes;
};

/// Sums sensors to components and bounds each figure. Pure. `sensors` are those that `ledger` is
/// indexed by.
Summary summarize(const RunContext& context, std::span<const UsedSensor> sensors,
                  const Ledger& ledger);

/// Turns a summary of these sensors into a report: applies WUE and the intensity, and says where
/// the figures come from. Pure.
Report assemble_report(const RunContext& context, std::span<const UsedSensor> sensors,
                       const Summary& summary, WallTime timestamp);

}  // namespace codecarbon
