#include "sensors/simulated/profile.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

namespace codecarbon::simulated {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::int64_t kMicro = 1'000'000;

rc::Gen<Profile> any_leaf() {
  return rc::gen::exec([] {
    const auto value = rc::gen::inRange<std::int64_t>(0, 1'000 * kMicro);
    const auto length = rc::gen::inRange<std::int64_t>(1, 5'000);
    const std::int64_t a = *value;
    const std::int64_t b = *value;
    const milliseconds t(*length);
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        return Profile::constant(a);
      case 1:
        return Profile::ramp(a, b, t);
      case 2:
        return Profile::square(a, b, t,
                               milliseconds(*rc::gen::inRange<std::int64_t>(0, t.count() + 1)));
      default:
        return Profile::steps({{Duration(0), a}, {t, b}, {t + milliseconds(*length), *value}});
    }
  });
}

rc::Gen<Profile> any_profile() {
  return rc::gen::exec([] {
    const Profile sum = Profile::sum({*any_leaf(), *any_leaf()});
    const milliseconds every(*rc::gen::inRange<std::int64_t>(1, 7'000));
    return *rc::gen::arbitrary<bool>() ? Profile::repeat(sum, every) : sum;
  });
}

Duration any_time() {
  return Duration(*rc::gen::inRange<std::int64_t>(0, 20'000'000'000));
}

TEST(Profile, IntegralAgreesWithSummingTheMoments) {
  EXPECT_TRUE(rc::check([] {
    const Profile profile = *any_profile();
    constexpr Duration kStep = milliseconds(1);
    constexpr int kSteps = 10'000;
    // All edges lie on whole milliseconds, so the midpoint rule is exact but for the rounding of
    // each moment, below one unit a term.
    Wide summed = 0;
    for (int i = 0; i < kSteps; ++i) {
      summed += static_cast<Wide>(profile.at(i * kStep + kStep / 2)) * kStep.count();
    }
    const Wide exact = profile.integral(kSteps * kStep);
    RC_ASSERT(summed <= exact);
    RC_ASSERT(exact - summed <= 2 * Wide{kSteps} * kStep.count());
  }));
}

TEST(Profile, NeverFallsAndStaysBelowItsPeak) {
  EXPECT_TRUE(rc::check([] {
    const Profile profile = *any_profile();
    const auto [from, to] = std::minmax({any_time(), any_time()});
    RC_ASSERT(profile.integral(from) <= profile.integral(to));
    RC_ASSERT(profile.at(from) >= 0);
    RC_ASSERT(profile.at(from) <= profile.peak());
    RC_ASSERT(profile.mean(from, to) <= profile.peak());
  }));
}

TEST(Profile, RepeatIsTheSameInEveryRound) {
  EXPECT_TRUE(rc::check([] {
    const Profile once = *any_leaf();
    const Duration every = any_time() + Duration(1);
    const Profile many = Profile::repeat(once, every);
    const Duration t = any_time() % every;
    const int rounds = *rc::gen::inRange(0, 100);
    RC_ASSERT(many.at(rounds * every + t) == once.at(t));
    RC_ASSERT(many.integral(rounds * every + t) ==
              rounds * once.integral(every) + once.integral(t));
  }));
}

TEST(Profile, ShapesByHand) {
  const Profile steps = Profile::steps({{seconds(0), 10}, {seconds(2), 0}, {seconds(3), 5}});
  EXPECT_EQ(steps.at(milliseconds(1'999)), 10);
  EXPECT_EQ(steps.at(seconds(2)), 0);
  EXPECT_TRUE(steps.integral(seconds(5)) == 30 * Wide{1'000'000'000});
  const Profile ramp = Profile::ramp(100, 0, seconds(10));
  EXPECT_EQ(ramp.at(seconds(5)), 50);
  EXPECT_EQ(ramp.at(seconds(11)), 0);
  EXPECT_TRUE(ramp.integral(seconds(20)) == 500 * Wide{1'000'000'000});
  const Profile square = Profile::square(1, 9, seconds(4), seconds(1));
  EXPECT_EQ(square.at(milliseconds(4'999)), 9);
  EXPECT_EQ(square.at(seconds(5)), 1);
  EXPECT_TRUE(square.integral(seconds(8)) == 24 * Wide{1'000'000'000});
  EXPECT_EQ(square.mean(seconds(0), seconds(4)), 3);
  EXPECT_EQ(square.mean(seconds(4), seconds(4)), 9);
}

TEST(Profile, BeforeTheBeginningIsTheBeginning) {
  const Profile ramp = Profile::ramp(7, 100, seconds(1));
  EXPECT_EQ(ramp.at(seconds(-5)), 7);
  EXPECT_TRUE(ramp.integral(seconds(-5)) == 0);
}

TEST(Profile, LargestValuesOverLongestTimesStayExact) {
  constexpr std::int64_t kMost = 1'000'000'000'000'000;
  constexpr Duration kLong = seconds(1'000'000'000);
  const Profile ramp = Profile::ramp(0, kMost, kLong);
  const Wide half = static_cast<Wide>(kMost) * kLong.count() / 2;
  EXPECT_TRUE(ramp.integral(kLong) == half);
  EXPECT_TRUE(Profile::ramp(kMost, 0, kLong).integral(kLong) == half);
  EXPECT_TRUE(Profile::repeat(ramp, kLong).integral(9 * kLong) == 9 * half);
}

TEST(EnergyUntil, RoundsTheTotalDownOnce) {
  const Profile third = Profile::constant(333'333);  // a third of a watt, nearly
  EXPECT_TRUE(energy_uj_until(third, seconds(3)) == 999'999);
  EXPECT_TRUE(energy_uj_until(third, Duration(2'999)) == 0);
  EXPECT_TRUE(energy_uj_until(third, Duration(3'001)) == 1'000'332 / 1'000'000);
}

}  // namespace
}  // namespace codecarbon::simulated
