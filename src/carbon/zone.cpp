#include "carbon/zone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "carbon/csv_table.hpp"
#include "carbon/place_name.hpp"
#include "embedded/china_provinces.hpp"
#include "embedded/grid_zones.hpp"
#include "embedded/us_states.hpp"

namespace codecarbon::carbon {
namespace {

enum Column : std::size_t { kCode, kIso3, kName, kAliases, kIntensity };

/// Newest first: what stands in an earlier table hides the same place in a later one.
std::array<std::string_view, 3> tables() {
  return {embedded::grid_zones, embedded::us_states, embedded::china_provinces};
}

/// A code without a part after the country's letters stands for the whole country.
bool is_whole_country(const CsvRow& row) {
  return row[kCode].find('-') == std::string_view::npos;
}

/// Nothing where the row has no figure.
std::optional<Zone> zone_of(const CsvRow& row, std::string_view table) {
  const std::optional<double> value = number(row[kIntensity]);
  if (!value) return std::nullopt;
  const CarbonIntensity intensity = CarbonIntensity::from_g_per_kwh(*value);
  return Zone{row[kCode], row[kIso3], row[kName], {intensity, table}};
}

/// The first zone for which `matches(row)`, and that has a figure.
template <class Matches>
std::optional<Zone> first_zone(const Matches& matches) {
  for (const std::string_view table : tables()) {
    CsvReader reader(table);
    while (const auto row = reader.next()) {
      if (!matches(*row)) continue;
      if (const auto zone = zone_of(*row, table)) return zone;
    }
  }
  return std::nullopt;
}

bool is_part_of(const CsvRow& row, const Country& country) {
  return row[kIso3] == country.iso3 && !is_whole_country(row);
}

bool is_among(std::string_view aliases, std::string_view wanted) {
  while (!aliases.empty()) {
    const std::size_t end = std::min(aliases.find(';'), aliases.size());
    if (folded(aliases.substr(0, end)) == wanted) return true;
    aliases.remove_prefix(std::min(end + 1, aliases.size()));
  }
  return false;
}

bool is_called(const CsvRow& row, std::string_view wanted) {
  const std::string code = folded(row[kCode]);
  if (code == wanted || code.substr(code.find('-') + 1) == wanted) return true;
  return folded(row[kName]) == wanted || is_among(row[kAliases], wanted);
}

/// Location services say "Guangdong Province" where the tables say "Guangdong".
std::string_view without_kind(std::string_view name) {
  for (const std::string_view kind :
       {" autonomous region", " municipality", " province", " state"}) {
    if (name.ends_with(kind)) return name.substr(0, name.size() - kind.size());
  }
  return name;
}

std::optional<Zone> zone_called(const Country& country, std::string_view wanted) {
  return first_zone(
      [&](const CsvRow& row) { return is_part_of(row, country) && is_called(row, wanted); });
}

}  // namespace

std::optional<Zone> find_zone(const Country& country, std::string_view region) {
  const std::string wanted = folded(region);
  if (const auto zone = zone_called(country, wanted)) return zone;
  const std::string_view shorter = without_kind(wanted);
  return shorter == wanted ? std::nullopt : zone_called(country, shorter);
}

std::optional<Zone> find_zone(std::string_view code) {
  const std::string wanted = folded(code);
  return first_zone(
      [&](const CsvRow& row) { return !is_whole_country(row) && folded(row[kCode]) == wanted; });
}

std::optional<Figure> country_zone_figure(const Country& country) {
  const auto zone = first_zone(
      [&](const CsvRow& row) { return is_whole_country(row) && row[kIso3] == country.iso3; });
  if (!zone) return std::nullopt;
  return zone->figure;
}

std::vector<Zone> zones_in(const Country& country) {
  std::vector<Zone> zones;
  for (const std::string_view table : tables()) {
    CsvReader reader(table);
    while (const auto row = reader.next()) {
      if (!is_part_of(*row, country)) continue;
      if (const auto zone = zone_of(*row, table)) zones.push_back(*zone);
    }
  }
  return zones;
}

std::string zones_of(const Country& country) {
  constexpr std::size_t kShown = 6;
  const std::vector<Zone> zones = zones_in(country);
  std::string shown;
  for (std::size_t i = 0; i < std::min(zones.size(), kShown); ++i) {
    shown += fmt::format("{}{} ({})", i == 0 ? "" : ", ", zones[i].code, zones[i].name);
  }
  if (zones.size() > kShown) shown += fmt::format(" and {} more", zones.size() - kShown);
  return shown;
}

}  // namespace codecarbon::carbon
