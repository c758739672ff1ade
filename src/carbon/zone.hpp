#pragma once
/// \file
/// Parts of countries that have figures of their own: grid zones, states, provinces. Pure; the
/// texts returned live for ever.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carbon/country.hpp"
#include "carbon/figure.hpp"

namespace codecarbon::carbon {

struct Zone {
  std::string_view code;  ///< begins with the country's two letters: "SE-SE3", "US-CA"
  std::string_view iso3;  ///< of the country
  std::string_view name;
  Figure figure;
};

/// The zone of `country` that has this code, with or without the country's two letters, or this
/// name, in any case and with or without accents: "SE-SE3", "SE3", "Québec", "california". Where a
/// state is a grid zone too, the grid zone is taken.
std::optional<Zone> find_zone(const Country& country, std::string_view region);

/// The zone with this code in full, in whatever country.
std::optional<Zone> find_zone(std::string_view code);

/// The figure for the whole country in the table of grid zones.
std::optional<Figure> country_zone_figure(const Country& country);

/// All zones of the country, in the order in which they are searched: of two that have one name,
/// the first is the one that is found.
std::vector<Zone> zones_in(const Country& country);

/// The first few zones of the country, as "AU-NSW (New South Wales), ... and 7 more"; empty when it
/// has none.
std::string zones_of(const Country& country);

}  // namespace codecarbon::carbon
