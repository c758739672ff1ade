#include "sensors/modelled/cpu_load.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace codecarbon::modelled {
namespace {

TEST(CpuTimes, WaitingIdlingAndStolenTimeIsNotBusy) {
  const auto times =
      parse_cpu_times("cpu  1 20 300 4000 50000 600000 7000000 80000000 9 9\ncpu0 1");
  ASSERT_TRUE(times);
  EXPECT_EQ(times->busy, 7600321);
  EXPECT_EQ(times->total, 7600321 + 4000 + 50000 + 80000000);
}

TEST(CpuTimes, OldKernelsHaveFourFields) {
  const auto times = parse_cpu_times("cpu  1 2 3 4\n");
  ASSERT_TRUE(times);
  EXPECT_EQ(times->busy, 6);
  EXPECT_EQ(times->total, 10);
}

TEST(CpuTimes, TextThatIsNoSuchLineGivesNothing) {
  for (const char* text : {"", "cpu", "cpu ", "cpu0 1 2 3 4\n", "cpu  1 2 3\n5", "cpu  1 x 3 4\n",
                           "cpu  -1 2 3 4\n", "cpu  99999999999999999999 2 3 4\n"}) {
    EXPECT_FALSE(parse_cpu_times(text)) << text;
  }
}

TEST(CpuTimes, AnyTextIsSafe) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    const auto times = parse_cpu_times("cpu " + text);
    RC_ASSERT(!times || (times->busy >= 0 && times->total >= times->busy));
  }));
}

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
