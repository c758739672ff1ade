// What must hold of every table, whatever release it was made from.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "carbon/country.hpp"
#include "carbon/csv_table.hpp"
#include "carbon/place_name.hpp"
#include "embedded/china_provinces.hpp"
#include "embedded/cloud_regions.hpp"
#include "embedded/countries.hpp"
#include "embedded/cpu_rated_power_head.hpp"
#include "embedded/grid_zones.hpp"
#include "embedded/us_states.hpp"

namespace codecarbon::carbon {
namespace {

struct Table {
  const char* name;
  std::string_view text;
  const char* columns;
  std::size_t least_rows;
};

class Tables : public testing::TestWithParam<Table> {};

std::string file_text(const std::string& name) {
  std::ifstream file(std::string(CODECARBON_SOURCE_DIR) + "/data/" + name + ".csv");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string joined(const CsvRow& row) {
  std::string line(row[0]);
  for (std::size_t i = 1; i < row.size; ++i) line += "," + std::string(row[i]);
  return line;
}

void expect_complete_head(std::string_view table) {
  for (const char* key :
       {"title", "source", "year", "package", "licence", "asks", "unit", "changed"}) {
    EXPECT_NE(head_value(table, key), "") << key;
  }
}

TEST_P(Tables, SaysSourceYearAndLicence) {
  expect_complete_head(GetParam().text);
}

TEST_P(Tables, IsTheFileByteForByte) {
  EXPECT_EQ(GetParam().text, file_text(GetParam().name));
}

TEST_P(Tables, HasItsColumnsInEveryRow) {
  CsvReader reader(GetParam().text);
  EXPECT_EQ(joined(reader.columns()), GetParam().columns);
  std::size_t rows = 0;
  while (const auto row = reader.next()) {
    ++rows;
    EXPECT_EQ(row->size, reader.columns().size) << joined(*row);
    EXPECT_FALSE((*row)[0].empty());
  }
  EXPECT_GE(rows, GetParam().least_rows);
}

TEST_P(Tables, HasPlausibleIntensities) {
  CsvReader reader(GetParam().text);
  const bool may_be_empty = std::string_view(GetParam().name) == "countries";
  while (const auto row = reader.next()) {
    const std::string_view cell = (*row)[row->size - 1];
    const auto value = number(cell);
    EXPECT_TRUE(value || (cell.empty() && may_be_empty)) << joined(*row);
    EXPECT_TRUE(!value || (*value > 0 && *value <= 2000)) << joined(*row);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Data, Tables,
    testing::Values(
        Table{"countries", embedded::countries, "iso3,iso2,name,g_per_kwh", 240},
        Table{"grid_zones", embedded::grid_zones, "code,iso3,name,aliases,g_per_kwh", 300},
        Table{"us_states", embedded::us_states, "code,iso3,name,aliases,g_per_kwh", 51},
        Table{"china_provinces", embedded::china_provinces, "code,iso3,name,aliases,g_per_kwh", 30},
        Table{"cloud_regions", embedded::cloud_regions, "provider,region,iso3,state,city,g_per_kwh",
              30}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ZoneTables, HaveUniqueCodesAndNamesWithinACountryThatExists) {
  for (const std::string_view table :
       {embedded::grid_zones, embedded::us_states, embedded::china_provinces}) {
    std::set<std::string> seen;
    CsvReader reader(table);
    while (const auto row = reader.next()) {
      const std::string_view code = (*row)[0];
      const auto country = find_country((*row)[1]);
      ASSERT_TRUE(country) << code;
      EXPECT_TRUE(code == country->iso2 || code.starts_with(std::string(country->iso2) + "-"))
          << code;
      EXPECT_TRUE(seen.insert(std::string(code)).second) << code;
      EXPECT_TRUE(seen.insert(std::string((*row)[1]) + ":" + folded((*row)[2])).second) << code;
    }
  }
}

TEST(CloudTable, NamesCountriesThatExist) {
  CsvReader reader(embedded::cloud_regions);
  while (const auto row = reader.next()) EXPECT_TRUE(find_country((*row)[2])) << (*row)[1];
}

TEST(CpuTable, SaysSourceYearAndLicence) {
  expect_complete_head(embedded::cpu_rated_power_head);
  CsvReader reader(embedded::cpu_rated_power_head);
  EXPECT_FALSE(reader.next()) << "the head only";
}

TEST(CpuTable, HasThousandsOfPlausibleRows) {
  const std::string text = file_text("cpu_rated_power");
  CsvReader reader(text);
  EXPECT_EQ(joined(reader.columns()), "name,tdp_w");
  std::size_t rows = 0;
  while (const auto row = reader.next()) {
    ++rows;
    const auto watts = number((*row)[1]);
    EXPECT_TRUE(row->size == 2 && watts && *watts > 0 && *watts < 1000) << joined(*row);
  }
  EXPECT_GT(rows, 4000U);
}

}  // namespace
}  // namespace codecarbon::carbon
