#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carbon/carbon.hpp"
#include "codecarbon/error.hpp"
#include "codecarbon/options.hpp"
#include "codecarbon/tracker.hpp"
#include "config/resolve.hpp"
#include "node/rank.hpp"
#include "tracker/equipment.hpp"
#include "tracker/run.hpp"

namespace codecarbon {

/// Everything a run needs, found and checked but not yet started.
struct Setup {
  Run::Parts parts;
  std::optional<RankPlace> place;  ///< missing outside a job
  std::vector<std::string> sensor_lines;
};

/// Resolves the options, looks at the machine and opens the outputs. Says what a person should know
/// (unknown place, models in place of counters) through the log hook, once.
Result<Setup> set_up(const Options& options, Hooks hooks);

/// The host that resolved options ask for.
Host make_host(const Options& options, std::shared_ptr<const Clock> clock);

/// Where the options say that the energy is used. `options` are resolved.
Result<LocatedIntensity> locate_for(const Options& options);

}  // namespace codecarbon
