#pragma once
/// \file
/// Figures for a person: three significant digits and the unit that fits. Pure.

#include <string>
#include <vector>

#include "codecarbon/clock.hpp"
#include "codecarbon/report.hpp"
#include "codecarbon/units.hpp"

namespace codecarbon::cli {

std::string human_joules(Energy energy);      ///< "548 J", "12.3 kJ"
std::string human_watt_hours(Energy energy);  ///< "152 mWh", "3.43 kWh"
std::string human_power(Power power);         ///< "41.6 W"
std::string human_mass(Carbon carbon);        ///< "73.1 mg", "1.20 kg"
std::string human_volume(Water water);        ///< "12.0 mL"
std::string human_time(Duration time);        ///< "12.3 s", "3 min 05 s", "1 h 02 min"

/// "France, 44.2 g CO2e/kWh (country; Ember 2024)".
std::string human_place(const PlaceReport& place, const IntensityReport& intensity);

/// Columns side by side, two blanks between, `indent` blanks before; one line a row. Counts
/// characters, not bytes.
std::string align(const std::vector<std::vector<std::string>>& rows, std::size_t indent);

}  // namespace codecarbon::cli
