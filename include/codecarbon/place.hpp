#pragma once
/// \file
/// Where energy was used and what a kilowatt-hour stands for there.

#include <optional>
#include <string>

#include "codecarbon/units.hpp"

namespace codecarbon {

/// Where the energy was used, and how that was found out.
struct PlaceReport {
  std::string country_name;      ///< empty when unknown
  std::string country_iso_code;  ///< three letters; empty when unknown
  std::string region;
  std::string cloud_provider;
  std::string cloud_region;
  std::optional<double> longitude;
  std::optional<double> latitude;
  bool on_cloud = false;
};

/// The intensity that was applied and where it comes from.
struct IntensityReport {
  CarbonIntensity value;
  std::string method;  ///< "country", "region", "cloud region", "forced" or "world average"
  std::string source;  ///< "Ember, up to 2024 (@tgwf/co2 0.19.0)"
};

}  // namespace codecarbon
