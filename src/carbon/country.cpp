#include "carbon/country.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/text.hpp"
#include "carbon/csv_table.hpp"
#include "carbon/place_name.hpp"
#include "embedded/countries.hpp"

namespace codecarbon::carbon {
namespace {

enum Column : std::size_t { kIso3, kIso2, kName, kIntensity };

/// The row of the world stands among the countries, with a code that no country can have.
constexpr std::string_view kWorld = "WORLD";

std::optional<Figure> figure_of(const CsvRow& row) {
  const std::optional<double> value = number(row[kIntensity]);
  if (!value) return std::nullopt;
  return Figure{CarbonIntensity::from_g_per_kwh(*value), embedded::countries};
}

Country country_of(const CsvRow& row) {
  return {row[kIso3], row[kIso2], row[kName], figure_of(row)};
}

std::string without_blanks(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

std::string initials(std::string_view name) {
  std::string letters;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (i == 0 || name[i - 1] == ' ') letters += name[i];
  }
  return letters;
}

/// True when `text` (folded, without blanks) begins the name or is its initials: GER, UK.
bool abbreviates(const CsvRow& row, std::string_view text) {
  const std::string name = folded(row[kName]);
  if (text.size() >= 3 && without_blanks(name).starts_with(text)) return true;
  return text.size() >= 2 && initials(name) == text;
}

/// True when it is a typing error away from the name or the three-letter code.
bool misspells(const CsvRow& row, std::string_view text) {
  const std::string name = without_blanks(folded(row[kName]));
  if (text.size() >= 4 && text.size() <= name.size() + 1 && slips(text, name) <= 1) return true;
  return text.size() <= 4 && slips(text, folded(row[kIso3])) <= 1;
}

}  // namespace

std::optional<Country> find_country(std::string_view code) {
  const std::string wanted = folded(code);
  if (wanted.size() != 2 && wanted.size() != 3) return std::nullopt;
  CsvReader reader(embedded::countries);
  while (const auto row = reader.next()) {
    if (folded((*row)[wanted.size() == 2 ? kIso2 : kIso3]) == wanted) return country_of(*row);
  }
  return std::nullopt;
}

Figure world_average() {
  CsvReader reader(embedded::countries);
  while (const auto row = reader.next()) {
    if ((*row)[kIso3] == kWorld) return figure_of(*row).value_or(Figure{{}, embedded::countries});
  }
  return {{}, embedded::countries};
}

std::string countries_like(std::string_view text) {
  constexpr int kMost = 5;
  const std::string wanted = without_blanks(folded(text));
  std::string found;
  int count = 0;
  const auto add_where = [&](const auto& is_near) {
    CsvReader reader(embedded::countries);
    while (const auto row = reader.next()) {
      if (count == kMost) return;
      if ((*row)[kIso3] == kWorld || !is_near(*row)) continue;
      found += fmt::format("{}{} ({})", count++ == 0 ? "" : ", ", (*row)[kIso3], (*row)[kName]);
    }
  };
  add_where([&](const CsvRow& row) { return abbreviates(row, wanted); });
  add_where([&](const CsvRow& row) { return misspells(row, wanted) && !abbreviates(row, wanted); });
  return found;
}

}  // namespace codecarbon::carbon
