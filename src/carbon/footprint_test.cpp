#include "carbon/footprint.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace codecarbon {
namespace {

using std::chrono::seconds;

TEST(Pue, ScalesEnergyAndSoPower) {
  const Energy energy = with_pue(Power::from_watts(55) * seconds(10), 1.5);
  EXPECT_EQ(energy, Energy::from_joules(825));
  EXPECT_EQ(mean_power(energy, seconds(10)), Power::from_watts(82.5));
}

TEST(Pue, OfOneChangesNothing) {
  EXPECT_TRUE(rc::check([] {
    const auto uj = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 50);
    RC_ASSERT(with_pue(Energy::from_uj(uj), 1.0) == Energy::from_uj(uj));
  }));
}

TEST(Pue, NeverLessensEnergy) {
  EXPECT_TRUE(rc::check([] {
    const auto energy = Energy::from_uj(*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 50));
    const double pue = 1.0 + *rc::gen::inRange(0, 400) / 100.0;
    RC_ASSERT(with_pue(energy, pue) >= energy);
  }));
}

TEST(Water, IsForTheEnergyWithThePue) {
  const Energy energy = with_pue(Energy::from_joules(3.6e6), 1.5);
  EXPECT_DOUBLE_EQ(water_use(energy, 1.8).litres(), 2.7);
  EXPECT_DOUBLE_EQ(water_use(energy, 0).litres(), 0);
}

TEST(Emissions, AreEnergyTimesIntensity) {
  const Carbon carbon = Energy::from_joules(3.6e6) * CarbonIntensity::from_g_per_kwh(44);
  EXPECT_DOUBLE_EQ(carbon.grams(), 44);
}

}  // namespace
}  // namespace codecarbon
