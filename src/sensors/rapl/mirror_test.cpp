#include "sensors/rapl/mirror.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace codecarbon::rapl {
namespace {

using std::chrono::milliseconds;

TEST(Mirror, TheSameCounterReadAgainLooksTheSame) {
  EXPECT_TRUE(looks_the_same(100, 100, 100));
  EXPECT_TRUE(looks_the_same(100, 130, 161));
  EXPECT_TRUE(looks_the_same(990, 995, 5)) << "read before the wrap";
  EXPECT_TRUE(looks_the_same(990, 2, 5)) << "read after the wrap";
  EXPECT_FALSE(looks_the_same(100, 99, 161));
  EXPECT_FALSE(looks_the_same(100, 162, 161));
  EXPECT_FALSE(looks_the_same(990, 500, 5));
}

constexpr std::int64_t kRange = 1000;

TEST(Mirror, AMirroringDieHasNothingOfItsOwn) {
  EXPECT_TRUE(rc::check([] {
    Mirror mirror(*rc::gen::inRange(0, 1000), MonoTime{}, kRange);
    MonoTime now{};
    const auto values = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 1000));
    for (const int value : values) {
      now += std::chrono::seconds(1);
      mirror.seen_same(value, now);
      RC_ASSERT(mirror.own(value) == 0);
    }
  }));
}

TEST(Mirror, AnUpdateUnderWayDecidesNothingHoweverOftenItIsSeen) {
  Mirror mirror(100, MonoTime{}, kRange);
  MonoTime now{};
  for (int i = 0; i < 1000; ++i) {
    now += milliseconds(1);
    mirror.seen_different(110, 100, now);
    now += Mirror::kUpdateTakes - milliseconds(1);
    mirror.seen_different(110, 100, now);
    now += milliseconds(1);
    mirror.seen_same(110, now);
    ASSERT_FALSE(mirror.apart());
  }
  mirror.seen_different(210, 205, now + std::chrono::hours(1));
  EXPECT_FALSE(mirror.apart()) << "the last of many steps";
}

TEST(Mirror, ADifferenceThatLastsOrIsLargeAfterALongTimeMeansTwoDies) {
  Mirror small(100, MonoTime{}, kRange);
  small.seen_different(200, 199, MonoTime(milliseconds(900)));
  EXPECT_FALSE(small.apart());
  small.seen_different(300, 297, MonoTime(milliseconds(1900)));
  EXPECT_TRUE(small.apart());
  EXPECT_EQ(small.own(297), 197) << "counts from the moment at which they were the same";

  Mirror large(900, MonoTime{}, kRange);
  large.seen_different(50, 940, MonoTime(milliseconds(1000)));
  EXPECT_TRUE(large.apart());
  EXPECT_EQ(large.own(20), 120) << "across the range";
}

TEST(Mirror, OnceApartTheyStayApart) {
  Mirror mirror(100, MonoTime{}, std::nullopt);
  mirror.seen_different(500, 140, MonoTime(std::chrono::seconds(2)));
  mirror.seen_same(900, MonoTime(std::chrono::seconds(3)));
  EXPECT_TRUE(mirror.apart());
  EXPECT_EQ(mirror.own(900), 800);
}

/// The counter's difference as the engine takes it: one wrap at most.
std::int64_t step(std::int64_t before, std::int64_t now) {
  return now >= before ? now - before : kRange - before + now;
}

TEST(Mirror, OnceApartTheJoinedCounterStepsByTheSumOfBothAcrossEveryWrap) {
  EXPECT_TRUE(rc::check([] {
    std::int64_t first = *rc::gen::inRange(0, 1000);
    std::int64_t second = first;
    Mirror mirror(first, MonoTime{}, kRange);
    mirror.seen_different(first, second, MonoTime{});
    mirror.seen_different(first, second, MonoTime(Mirror::kUpdateTakes));
    std::int64_t shown = joined(first, mirror.own(second), kRange);
    for (const int used : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 400))) {
      const int used_too = *rc::gen::inRange(0, 400);
      first = (first + used) % kRange;
      second = (second + used_too) % kRange;
      const std::int64_t now = joined(first, mirror.own(second), kRange);
      RC_ASSERT(step(shown, now) == used + used_too);
      shown = now;
    }
  }));
}

}  // namespace
}  // namespace codecarbon::rapl
