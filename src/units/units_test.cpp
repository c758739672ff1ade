#include "codecarbon/units.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace codecarbon {
namespace {

TEST(Units, AKilowattHourIsThreePointSixMegajoules) {
  EXPECT_EQ(Energy::from_joules(3.6e6).kwh(), 1.0);
  EXPECT_EQ((Energy::from_joules(3.6e6) * CarbonIntensity::from_g_per_kwh(44.0)).grams(), 44.0);
}

TEST(Units, PowerTimesTimeIsEnergy) {
  EXPECT_EQ(Power::from_watts(250) * std::chrono::seconds(4), Energy::from_joules(1000));
}

TEST(Units, MeanPowerOverNoTimeIsNoRate) {
  EXPECT_EQ(mean_power(Energy::from_joules(5), std::chrono::nanoseconds(0)), Power{});
}

TEST(Units, SumsAreExactInAnyOrder) {
  EXPECT_TRUE(rc::check([](const std::vector<std::int32_t>& steps_uj) {
    Energy forward;
    Energy backward;
    for (auto step : steps_uj) forward += Energy::from_uj(step);
    for (auto step = steps_uj.rbegin(); step != steps_uj.rend(); ++step) {
      backward += Energy::from_uj(*step);
    }
    RC_ASSERT(forward == backward);
  }));
}

}  // namespace
}  // namespace codecarbon
