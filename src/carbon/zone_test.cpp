#include "carbon/zone.hpp"

#include <gtest/gtest.h>

#include <string>

namespace codecarbon::carbon {
namespace {

Country country(std::string_view code) {
  return find_country(code).value();
}

std::string code_of(std::string_view country_code, std::string_view region) {
  const auto zone = find_zone(country(country_code), region);
  return std::string(zone ? zone->code : "(none)");
}

TEST(Zone, IsFoundByTheWordsUsersGive) {
  EXPECT_EQ(code_of("USA", "california"), "US-CA");
  EXPECT_EQ(code_of("USA", "New_York"), "US-NY");
  EXPECT_EQ(code_of("USA", "CA"), "US-CA");
  EXPECT_EQ(code_of("USA", "us-ca"), "US-CA");
  EXPECT_EQ(code_of("USA", "US-CAL-CISO"), "US-CAL-CISO");
  EXPECT_EQ(code_of("USA", "CAL-CISO"), "US-CAL-CISO");
  EXPECT_EQ(code_of("USA", "ercot"), "US-TEX-ERCO");
  EXPECT_EQ(code_of("CAN", "quebec"), "CA-QC");
  EXPECT_EQ(code_of("CAN", "QUÉBEC"), "CA-QC");
  EXPECT_EQ(code_of("CAN", "qc"), "CA-QC");
  EXPECT_EQ(code_of("CAN", "ontario"), "CA-ON");
  EXPECT_EQ(code_of("SWE", "SE3"), "SE-SE3");
  EXPECT_EQ(code_of("SWE", "se-se3"), "SE-SE3");
  EXPECT_EQ(code_of("NOR", "no5"), "NO-NO5");
  EXPECT_EQ(code_of("DNK", "DK1"), "DK-DK1");
  EXPECT_EQ(code_of("AUS", "New South Wales"), "AU-NSW");
  EXPECT_EQ(code_of("JPN", "tokyo"), "JP-TK");
  EXPECT_EQ(code_of("CHN", "nei mongol"), "CN-NM");
  EXPECT_EQ(code_of("CHN", "Guangdong Province"), "CN-GD");
  EXPECT_EQ(code_of("CHN", "Xinjiang Uygur Autonomous Region"), "CN-XJ");
}

TEST(Zone, EveryStateAndProvinceThatThePythonPackageKnewIsKnown) {
  for (const char* state : {"alabama",        "alaska",         "arizona",
                            "arkansas",       "california",     "colorado",
                            "connecticut",    "delaware",       "district of columbia",
                            "florida",        "georgia",        "hawaii",
                            "idaho",          "illinois",       "indiana",
                            "iowa",           "kansas",         "kentucky",
                            "louisiana",      "maine",          "maryland",
                            "massachusetts",  "michigan",       "minnesota",
                            "mississippi",    "missouri",       "montana",
                            "nebraska",       "nevada",         "new hampshire",
                            "new jersey",     "new mexico",     "new york",
                            "north carolina", "north dakota",   "ohio",
                            "oklahoma",       "oregon",         "pennsylvania",
                            "rhode island",   "south carolina", "south dakota",
                            "tennessee",      "texas",          "utah",
                            "vermont",        "virginia",       "washington",
                            "west virginia",  "wisconsin",      "wyoming"}) {
    EXPECT_TRUE(find_zone(country("USA"), state)) << state;
  }
  for (const char* province :
       {"british columbia", "newfoundland and labrador", "saskatchewan", "prince edward island",
        "ontario", "nova scotia", "quebec", "alberta", "manitoba", "northwest territories",
        "new brunswick", "nunavut", "yukon"}) {
    EXPECT_TRUE(find_zone(country("CAN"), province)) << province;
  }
}

TEST(Zone, BelongsToItsCountryOnly) {
  EXPECT_EQ(code_of("FRA", "california"), "(none)");
  EXPECT_EQ(code_of("NOR", "SE-SE3"), "(none)");
  EXPECT_EQ(code_of("GEO", "georgia"), "(none)");
  EXPECT_EQ(code_of("FRA", "ile-de-france"), "(none)");
  EXPECT_EQ(code_of("FRA", ""), "(none)");
  EXPECT_EQ(code_of("FRA", "FR"), "(none)") << "that is the whole country";
}

TEST(Zone, AGridZoneGoesBeforeAStateOfTheSameName) {
  const auto hawaii = find_zone(country("USA"), "hawaii");
  ASSERT_TRUE(hawaii);
  EXPECT_EQ(hawaii->figure.table, find_zone("US-CAL-CISO")->figure.table);
}

TEST(Zone, IsFoundWithoutACountryByItsWholeCodeOnly) {
  ASSERT_TRUE(find_zone("se-se3"));
  EXPECT_EQ(find_zone("se-se3")->iso3, "SWE");
  for (const char* text : {"SE3", "quebec", "georgia", "FR", "", "-"}) {
    EXPECT_FALSE(find_zone(text)) << text;
  }
}

TEST(CountryZone, FillsInWhereTheCountryTableHasNothing) {
  EXPECT_TRUE(country_zone_figure(country("CAF")));
  EXPECT_FALSE(country_zone_figure(country("LIE")));
  EXPECT_TRUE(find_zone("CL-SEN"));
  EXPECT_FALSE(country_zone_figure(country("CHL"))) << "a part does not stand for the whole";
}

TEST(ZonesIn, AreThoseThatAreFoundByTheirNames) {
  for (const char* iso3 : {"USA", "CAN", "CHN", "SWE"}) {
    const auto zones = zones_in(country(iso3));
    EXPECT_GE(zones.size(), 4U) << iso3;
    for (const Zone& zone : zones) {
      EXPECT_EQ(zone.iso3, iso3);
      EXPECT_TRUE(find_zone(country(iso3), zone.name)) << zone.name;
      EXPECT_EQ(code_of(iso3, zone.code), zone.code);
    }
  }
  EXPECT_TRUE(zones_in(country("DEU")).empty());
}

TEST(ZonesOf, ListsAFewAndCountsTheRest) {
  EXPECT_EQ(zones_of(country("FRA")), "FR-COR (Corsica)");
  EXPECT_EQ(zones_of(country("DEU")), "");
  EXPECT_NE(zones_of(country("CAN")).find("CA-AB (Alberta)"), std::string::npos);
  EXPECT_NE(zones_of(country("CAN")).find(" and 7 more"), std::string::npos);
}

}  // namespace
}  // namespace codecarbon::carbon
