#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codecarbon/error.hpp"
#include "codecarbon/place.hpp"
#include "codecarbon/units.hpp"

namespace codecarbon {

/// Where the user says the energy is used. Empty text: not said.
struct PlaceRequest {
  std::string country_iso_code;          ///< three letters
  std::string country_2letter_iso_code;  ///< two letters; used when the above is empty
  std::string region;
  std::string cloud_provider;
  std::string cloud_region;
  std::optional<CarbonIntensity> forced_intensity;
};

/// A place with the intensity that holds there, and what a person should know about the choice
/// (unknown place, region without figures of its own), one line each.
struct LocatedIntensity {
  PlaceReport place;
  IntensityReport intensity;
  std::vector<std::string> warnings;
};

/// Forced value, else cloud region, else region, else country, else the world average with a
/// warning. Pure; tables are compiled in. Fails when a country that does not exist was named, a
/// cloud region that its provider lacks, or a forced value that is no intensity: the message says
/// option, value and what is accepted (close matches). A region without figures is a warning: the
/// country's figure holds.
Result<LocatedIntensity> locate(const PlaceRequest& request);

/// What each compiled-in table asks to be said of it (source, year, licence), one paragraph each.
std::vector<std::string> data_attributions();

}  // namespace codecarbon
