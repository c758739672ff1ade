#include "human.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>

namespace codecarbon::cli {
namespace {

TEST(Human, UnitsFit) {
  EXPECT_EQ(human_joules(Energy{}), "0 J");
  EXPECT_EQ(human_joules(Energy::from_uj(1)), "1.00 µJ");
  EXPECT_EQ(human_joules(Energy::from_joules(0.0123)), "12.3 mJ");
  EXPECT_EQ(human_joules(Energy::from_joules(548.2)), "548 J");
  EXPECT_EQ(human_joules(Energy::from_joules(999.7)), "1.00 kJ");
  EXPECT_EQ(human_joules(Energy::from_joules(12345)), "12.3 kJ");
  EXPECT_EQ(human_watt_hours(Energy::from_joules(3.6e6)), "1.00 kWh");
  EXPECT_EQ(human_power(Power::from_watts(41.58)), "41.6 W");
  EXPECT_EQ(human_power(Power::from_watts(5600)), "5.60 kW");
  EXPECT_EQ(human_mass(Carbon::from_grams(0.0731)), "73.1 mg");
  EXPECT_EQ(human_mass(Carbon::from_grams(1200)), "1.20 kg");
  EXPECT_EQ(human_volume(Water::from_litres(0.012)), "12.0 mL");
}

TEST(Human, TimeGrowsFromSecondsToHours) {
  using std::chrono::milliseconds;
  EXPECT_EQ(human_time(milliseconds(3004)), "3.00 s");
  EXPECT_EQ(human_time(milliseconds(12340)), "12.3 s");
  EXPECT_EQ(human_time(milliseconds(59960)), "1 min 00 s");
  EXPECT_EQ(human_time(milliseconds(185000)), "3 min 05 s");
  EXPECT_EQ(human_time(std::chrono::minutes(62)), "1 h 02 min");
}

TEST(Human, NumberIsWithinItsDigitsAndBelowAThousand) {
  EXPECT_TRUE(rc::check([](std::int32_t energy_uj) {
    const std::string text = human_joules(Energy::from_uj(energy_uj));
    const double shown = std::strtod(text.c_str(), nullptr);
    RC_ASSERT(std::abs(shown) < 1000);
    const std::string unit = text.substr(text.find(' ') + 1);
    const double size = unit == "µJ" ? 1 : unit == "mJ" ? 1e3 : unit == "J" ? 1e6 : 1e9;
    RC_ASSERT(std::abs(shown * size - energy_uj) <= std::abs(energy_uj) * 0.0051);
  }));
}

TEST(Human, PlaceSaysWhereAndHow) {
  PlaceReport place;
  IntensityReport intensity{CarbonIntensity::from_g_per_kwh(480.4), "world average", "Ember 2024"};
  EXPECT_EQ(human_place(place, intensity),
            "place unknown, 480 g CO2e/kWh (world average; Ember 2024)");
  place.country_name = "France";
  intensity = {CarbonIntensity::from_g_per_kwh(44.2), "country", ""};
  EXPECT_EQ(human_place(place, intensity), "France, 44.2 g CO2e/kWh (country)");
}

TEST(Align, CountsCharactersAndLeavesNoBlanksAtTheEnd) {
  EXPECT_EQ(align({{"±1", "b"}, {"long", ""}}, 1), " ±1    b\n long\n");
}

}  // namespace
}  // namespace codecarbon::cli
