#include <fmt/format.h>

#include "carbon/carbon.hpp"
#include "carbon/csv_table.hpp"
#include "embedded/china_provinces.hpp"
#include "embedded/cloud_regions.hpp"
#include "embedded/countries.hpp"
#include "embedded/cpu_rated_power_head.hpp"
#include "embedded/grid_zones.hpp"
#include "embedded/us_states.hpp"

namespace codecarbon {
namespace {

std::string attribution(std::string_view table) {
  using carbon::head_value;
  return fmt::format(
      "{}: {}, {}. By way of {}. Licence: {}; asks: {}. Changed: {}.", head_value(table, "title"),
      head_value(table, "source"), head_value(table, "year"), head_value(table, "package"),
      head_value(table, "licence"), head_value(table, "asks"), head_value(table, "changed"));
}

}  // namespace

std::vector<std::string> data_attributions() {
  std::vector<std::string> paragraphs;
  for (const std::string_view table :
       {embedded::countries, embedded::grid_zones, embedded::us_states, embedded::china_provinces,
        embedded::cloud_regions, embedded::cpu_rated_power_head}) {
    paragraphs.push_back(attribution(table));
  }
  return paragraphs;
}

}  // namespace codecarbon
