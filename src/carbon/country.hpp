#pragma once
/// \file
/// Countries by their ISO 3166-1 codes, with the yearly average of their electricity. Pure; the
/// texts returned live for ever.

#include <optional>
#include <string>
#include <string_view>

#include "carbon/figure.hpp"

namespace codecarbon::carbon {

struct Country {
  std::string_view iso3;
  std::string_view iso2;
  std::string_view name;
  std::optional<Figure> figure;  ///< missing where the source has none
};

/// The country of a two- or three-letter code, in any case, blanks at the ends ignored.
std::optional<Country> find_country(std::string_view code);

/// The average over the world.
Figure world_average();

/// Up to five countries that `text` may have meant, as "FRA (France), FRO (Faroe Islands)"; empty
/// when none is near.
std::string countries_like(std::string_view text);

}  // namespace codecarbon::carbon
