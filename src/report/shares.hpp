#pragma once

#include <span>
#include <string>
#include <vector>

#include "readings/ledger.hpp"
#include "readings/selection.hpp"
#include "report/assemble.hpp"

namespace codecarbon {

/// The share of the tracked processes, summed to components, PUE included. Pure.
ProcessShare summarize_shares(std::span<const UsedSensor> sensors, const Ledger& ledger,
                              double pue);

/// Adds one line per sensor whose energy could not be divided.
void add_share_notes(std::vector<std::string>& notes, std::span<const UsedSensor> sensors,
                     const Ledger& ledger, double pue);

/// Makes the processes' share the figures of `summary`, which has one.
void make_own(Summary& summary);

}  // namespace codecarbon
