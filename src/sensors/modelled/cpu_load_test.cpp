#include "sensors/modelled/cpu_load.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace codecarbon::modelled {
namespace {

TEST(LoadMeter, TheLoadIsTheBusyShareSinceTheLastOne) {
  LoadMeter meter({100, 1000});
  EXPECT_EQ(meter.advance({100, 1000}), std::nullopt) << "no tick has passed";
  EXPECT_DOUBLE_EQ(meter.advance({125, 1100}).value(), 0.25);
  EXPECT_DOUBLE_EQ(meter.advance({225, 1200}).value(), 1.0);
}

TEST(LoadMeter, TimeThatGoesBackwardsStartsAnew) {
  LoadMeter meter({100, 1000});
  EXPECT_EQ(meter.advance({10, 100}), std::nullopt);
  EXPECT_DOUBLE_EQ(meter.advance({60, 200}).value(), 0.5);
}

TEST(LoadMeter, StaysBetweenNothingAndAll) {
  EXPECT_TRUE(rc::check([] {
    const auto ticks = rc::gen::inRange<std::int64_t>(0, 1'000'000);
    LoadMeter meter({*ticks, *ticks});
    const auto load = meter.advance({*ticks, *ticks});
    RC_ASSERT(!load || (*load >= 0 && *load <= 1));
  }));
}

}  // namespace
}  // namespace codecarbon::modelled
