#include "carbon/cloud.hpp"

#include <cstddef>

#include "base/text.hpp"
#include "carbon/csv_table.hpp"
#include "carbon/place_name.hpp"
#include "embedded/cloud_regions.hpp"

namespace codecarbon::carbon {
namespace {

enum Column : std::size_t { kProvider, kRegion, kIso3, kState, kCity, kIntensity };

/// Calls `visit` with every row of the provider until it returns true.
template <class Visit>
void for_each_region(std::string_view provider, const Visit& visit) {
  const std::string wanted = folded(provider);
  CsvReader reader(embedded::cloud_regions);
  while (const auto row = reader.next()) {
    if ((*row)[kProvider] == wanted && visit(*row)) return;
  }
}

/// "europe-west9" of "europe-west9-a"; anything else as it is.
std::string_view region_of_zone(std::string_view name) {
  const std::size_t size = name.size();
  const bool is_zone = size > 3 && name[size - 2] == '-' && name[size - 3] >= '0' &&
                       name[size - 3] <= '9' && name[size - 1] >= 'a' && name[size - 1] <= 'z';
  return is_zone ? name.substr(0, size - 2) : name;
}

std::string joined_regions(std::string_view provider, std::string_view near_to) {
  std::string names;
  for_each_region(provider, [&](const CsvRow& row) {
    if (!near_to.empty() && slips(near_to, row[kRegion]) != 1) return false;
    if (!names.empty()) names += ", ";
    names += row[kRegion];
    return false;
  });
  return names;
}

}  // namespace

bool has_cloud_figures(std::string_view provider) {
  bool found = false;
  for_each_region(provider, [&](const CsvRow&) { return found = true; });
  return found;
}

std::optional<CloudRegion> find_cloud_region(std::string_view provider, std::string_view region) {
  const std::string text = folded(region);
  const std::string_view wanted = region_of_zone(text);
  std::optional<CloudRegion> found;
  for_each_region(provider, [&](const CsvRow& row) {
    const std::optional<double> value = number(row[kIntensity]);
    if (!value || row[kRegion] != wanted) return false;
    found = CloudRegion{
        row[kProvider], row[kRegion],
        row[kIso3],     row[kState],
        row[kCity],     {CarbonIntensity::from_g_per_kwh(*value), embedded::cloud_regions}};
    return true;
  });
  return found;
}

std::string cloud_regions_like(std::string_view provider, std::string_view region) {
  const std::string near = joined_regions(provider, folded(region));
  return near.empty() ? joined_regions(provider, {}) : near;
}

}  // namespace codecarbon::carbon
