#include "carbon/country.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>

#include "carbon/csv_table.hpp"
#include "embedded/countries.hpp"

namespace codecarbon::carbon {
namespace {

TEST(Country, IsFoundByEitherCodeInAnyCase) {
  for (const char* code : {"FRA", "fra", "Fra", "FR", "fr", " FRA "}) {
    const auto country = find_country(code);
    ASSERT_TRUE(country) << code;
    EXPECT_EQ(country->iso3, "FRA");
    EXPECT_EQ(country->name, "France");
  }
}

TEST(Country, IsNotFoundByAnythingElse) {
  for (const char* text :
       {"", " ", "F", "XXX", "ZZ", "Fr ance", "France", "WORLD", "Wor", "EU", "FRA,", "\xFF\xFF"}) {
    EXPECT_FALSE(find_country(text)) << text;
  }
}

TEST(Country, HasOneRowPerCodeAndItsCodesAgree) {
  CsvReader reader(embedded::countries);
  while (const auto row = reader.next()) {
    if ((*row)[0] == "WORLD") continue;
    const auto by_three = find_country((*row)[0]);
    const auto by_two = find_country((*row)[1]);
    ASSERT_TRUE(by_three && by_two) << (*row)[0];
    EXPECT_EQ(by_three->name, (*row)[2]) << "two rows with code " << (*row)[0];
    EXPECT_EQ(by_two->iso3, (*row)[0]) << "two rows with code " << (*row)[1];
  }
}

TEST(Country, WithoutAFigureIsStillACountry) {
  const auto liechtenstein = find_country("LIE");
  ASSERT_TRUE(liechtenstein);
  EXPECT_FALSE(liechtenstein->figure);
  const auto central_africa = find_country("CAF");
  ASSERT_TRUE(central_africa);
  EXPECT_FALSE(central_africa->figure) << "the source's 0 is a rounded figure, not no emissions";
}

TEST(World, HasItsAverage) {
  EXPECT_GT(world_average().intensity.g_per_kwh(), 300);
  EXPECT_LT(world_average().intensity.g_per_kwh(), 700);
}

TEST(CountriesLike, KnowsNamesBlanksAndSlips) {
  EXPECT_EQ(countries_like("Fr ance"), "FRA (France)");
  EXPECT_EQ(countries_like("Germany"), "DEU (Germany)");
  EXPECT_EQ(countries_like("sweeden"), "SWE (Sweden)");
  EXPECT_EQ(countries_like("UK").substr(0, 3), "GBR");
  EXPECT_EQ(countries_like("GER").substr(0, 3), "DEU");
  EXPECT_NE(countries_like("FRE").find("FRA (France)"), std::string::npos);
  EXPECT_EQ(countries_like("QQQ"), "");
  EXPECT_EQ(countries_like(""), "");
}

TEST(CountriesLike, NamesFiveAtMost) {
  const std::string saints = countries_like("Saint");
  EXPECT_EQ(std::count(saints.begin(), saints.end(), '('), 5) << saints;
}

TEST(CountriesLike, StaysShortForAnyText) {
  EXPECT_TRUE(
      rc::check([](const std::string& text) { RC_ASSERT(countries_like(text).size() < 300U); }));
}

}  // namespace
}  // namespace codecarbon::carbon
