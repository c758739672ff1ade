#include "readings/counter.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace codecarbon {
namespace {

using std::chrono::seconds;

constexpr std::int64_t kRange = 262'143'328'850;  // microjoules, as most powercap trees say

SensorInfo package(std::optional<Energy> range = Energy::from_uj(kRange)) {
  SensorInfo info;
  info.domain = {DomainKind::package, 0, 0, "package-0"};
  info.range = range;
  return info;
}

Reading good(int at_s, std::int64_t value) {
  return {MonoTime(seconds(at_s)), value};
}
Reading bad(int at_s, ReadFault fault) {
  return {MonoTime(seconds(at_s)), tl::unexpected(fault)};
}

/// Feeds readings and sums what comes out.
struct Total {
  Energy energy;
  Energy gap_bound;
  int gaps = 0;

  static Total of(const SensorInfo& info, const std::vector<Reading>& readings) {
    Counter counter(info);
    Total total;
    for (const Reading& reading : readings) {
      const auto interval = counter.advance(reading);
      if (!interval) continue;
      total.energy += interval->energy;
      if (interval->gap) {
        total.gap_bound += interval->gap->bound;
        ++total.gaps;
      }
    }
    return total;
  }
};

TEST(Counter, TheFirstReadingIsABaselineHoweverLarge) {
  const auto info = package();
  EXPECT_EQ(Total::of(info, {good(0, 200'000'000'000)}).energy, Energy{});
}

TEST(Counter, AnyMonotoneReadingsSumToTheDifferenceOfTheEnds) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint32_t>& steps) {
    const auto info = package(std::nullopt);
    std::int64_t value = 1;
    std::vector<Reading> readings{good(0, value)};
    for (std::size_t i = 0; i < steps.size(); ++i) {
      value += steps[i] % 900'000'000;
      readings.push_back(good(static_cast<int>(i) + 1, value));
    }
    RC_ASSERT(Total::of(info, readings).energy == Energy::from_uj(value - 1));
  }));
}

TEST(Counter, WrapsLoseNothing) {
  EXPECT_TRUE(rc::check([] {
    const auto info = package(Energy::from_joules(300));
    const auto steps = *rc::gen::container<std::vector<std::int64_t>>(
        rc::gen::inRange<std::int64_t>(0, 299'999'999));
    std::int64_t truth = 1;
    std::vector<Reading> readings{good(0, truth)};
    for (std::size_t i = 0; i < steps.size(); ++i) {
      truth += steps[i];
      const std::int64_t shown = truth % 300'000'000;
      readings.push_back(good(static_cast<int>(i) + 1, shown));
    }
    // A wrap onto exactly zero shows no energy until the next reading, so end on another number.
    readings.push_back(good(static_cast<int>(steps.size()) + 1, (truth + 7) % 300'000'000));
    if (*readings.back().value != 0) {
      RC_ASSERT(Total::of(info, readings).energy == Energy::from_uj(truth + 7 - 1));
    }
  }));
}

TEST(Counter, AFaultKeepsTheBaselineSoTheNextGoodReadingLosesNothing) {
  const auto info = package();
  for (const ReadFault fault :
       {ReadFault::empty, ReadFault::garbage, ReadFault::unreadable, ReadFault::gone}) {
    const Total total =
        Total::of(info, {good(0, 100), bad(1, fault), bad(2, fault), good(3, 1'000'100)});
    EXPECT_EQ(total.energy, Energy::from_joules(1));
    EXPECT_EQ(total.gaps, 0);
  }
}

TEST(Counter, AZeroWhereTheCounterStoodHigherIsAFault) {
  const auto info = package();
  const Total total =
      Total::of(info, {good(0, 124'530'000'000), good(1, 0), good(2, 124'630'000'000)});
  EXPECT_EQ(total.energy, Energy::from_joules(100));
  EXPECT_EQ(total.gaps, 0);
}

TEST(Counter, AFallWithoutAKnownRangeIsAResetNeverEnergy) {
  const auto info = package(std::nullopt);
  const Total total =
      Total::of(info, {good(0, 4'000'000'000), good(1, 10'000), good(2, 50'010'000)});
  EXPECT_EQ(total.energy, Energy::from_joules(50));
  EXPECT_EQ(total.gaps, 1);
  EXPECT_GT(total.gap_bound, Energy{});
}

TEST(Counter, AFallThatAsAWrapWouldBeImplausibleIsAReset) {
  const auto info = package();
  const Total total = Total::of(info, {good(0, 124'530'000'000), good(1, 4'000'000)});
  EXPECT_EQ(total.energy, Energy{});
  EXPECT_EQ(total.gaps, 1);
}

TEST(Counter, AnImplausibleRiseIsAGapAndNeverMegawatts) {
  const auto info = package(std::nullopt);
  const Total total =
      Total::of(info, {good(0, 1), good(1, 12'000'000'000'000), good(2, 12'000'060'000'000)});
  EXPECT_EQ(total.energy, Energy::from_joules(60));
  EXPECT_EQ(total.gaps, 1);
}

TEST(Counter, OnlyReadingsThatContradictTheBaselineAreSuspicious) {
  const auto info = package();
  Counter counter(info);
  EXPECT_FALSE(counter.suspicious(good(0, 5)));
  counter.advance(good(0, 100'000'000'000));
  EXPECT_FALSE(counter.suspicious(good(1, 100'000'000'000)));
  EXPECT_FALSE(counter.suspicious(good(1, 100'100'000'000)));
  EXPECT_TRUE(counter.suspicious(good(1, 99'000'000'000)));
  EXPECT_TRUE(counter.suspicious(good(1, 0)));
  EXPECT_TRUE(counter.suspicious(bad(1, ReadFault::empty)));
}

/// Readings at 10 Hz of a counter that uses 20 W, told for each tenth of a second by `shown`.
template <class Shown>
std::vector<Reading> tenths(int count, Shown shown) {
  std::vector<Reading> readings;
  for (int i = 0; i <= count; ++i) {
    readings.push_back({MonoTime(std::chrono::milliseconds(100 * i)), 1 + 2'000'000 * shown(i)});
  }
  return readings;
}

TEST(Counter, ACounterThatCatchesUpAfterStandingStillLosesNothingAndNeedsNoGap) {
  const auto info = package();
  const Total total = Total::of(info, tenths(50, [](int i) { return i > 20 && i <= 35 ? 20 : i; }));
  EXPECT_EQ(total.energy, Energy::from_joules(100));
  EXPECT_EQ(total.gaps, 0);
}

TEST(Counter, ACounterThatDidNotCountMeanwhileIsAGapThatHoldsWhatIsLost) {
  const auto info = package();
  const Total total = Total::of(info, tenths(50, [](int i) {
                                  return i <= 20 ? i : i <= 35 ? 20 : i - 15;
                                }));
  EXPECT_EQ(total.energy, Energy::from_joules(70));
  EXPECT_EQ(total.gaps, 1);
  EXPECT_GE(total.gap_bound, Energy::from_joules(30));
}

TEST(Counter, ACounterThatStandsStillAtTheEndIsUnresolved) {
  const auto info = package();
  Counter counter(info);
  counter.advance(good(0, 1'000));
  counter.advance(good(1, 9'000'000));
  EXPECT_FALSE(counter.unresolved(MonoTime(seconds(1))));
  counter.advance(good(3, 9'000'000));
  ASSERT_TRUE(counter.unresolved(MonoTime(seconds(3))));
  EXPECT_EQ(counter.unresolved(MonoTime(seconds(3)))->length, seconds(2));
}

TEST(Counter, AResetNearTheRangeIsNotTakenForAWrapOnceThePaceIsKnown) {
  const auto info = package();
  std::vector<Reading> readings;
  const std::int64_t start = kRange - 2'000'000'000;
  for (int i = 0; i <= 20; ++i) {
    const std::int64_t counted = 2'500'000LL * i;
    readings.push_back(
        {MonoTime(std::chrono::milliseconds(50 * i)), i < 10 ? start + counted : 1 + counted});
  }
  const Total total = Total::of(info, readings);
  EXPECT_EQ(total.gaps, 1);
  EXPECT_LE(total.energy, Energy::from_joules(50));
}

TEST(Counter, ADomainThatNeverMovedIsIdleNotStalled) {
  auto info = package();
  info.domain.kind = DomainKind::dram;
  EXPECT_EQ(Total::of(info, {good(0, 7), good(30, 7), good(60, 7)}).gaps, 0);
}

TEST(Counter, WithoutAGoodReadingSinceTheRebaseTheTimeIsAGap) {
  const auto info = package();
  Counter counter(info);
  counter.rebase(MonoTime(seconds(10)));
  counter.advance(bad(10, ReadFault::empty));
  ASSERT_TRUE(counter.unresolved(MonoTime(seconds(12))).has_value());
  EXPECT_EQ(counter.unresolved(MonoTime(seconds(12)))->length, seconds(2));
  const auto late = counter.advance(good(13, 500));
  ASSERT_TRUE(late && late->gap);
  EXPECT_EQ(late->energy, Energy{});
  EXPECT_EQ(late->gap->length, seconds(3));
  EXPECT_FALSE(counter.unresolved(MonoTime(seconds(13))).has_value());
}

TEST(Counter, AfterABeatSoLateThatTheCounterMayHaveGoneRoundAGapIsStated) {
  const auto info =
      package(Energy::from_joules(4000));  // at the plausible 2000 W goes round in 2 s
  const Total punctual = Total::of(info, {good(0, 1), good(1, 100'000'001)});
  EXPECT_EQ(punctual.gaps, 0);
  const Total late = Total::of(info, {good(0, 1), good(60, 100'000'001)});
  EXPECT_EQ(late.energy, Energy::from_joules(100));
  EXPECT_EQ(late.gap_bound, info.plausible_power * seconds(60));
}

TEST(Counter, OnlyTheFirstOfARowOfFaultsIsWorthASecondLook) {
  const auto info = package();
  Counter counter(info);
  EXPECT_TRUE(counter.suspicious(bad(0, ReadFault::empty)));
  counter.advance(bad(0, ReadFault::empty));
  EXPECT_FALSE(counter.suspicious(bad(1, ReadFault::empty)));
}

TEST(Counter, NeverNegativeWhateverTheReadings) {
  EXPECT_TRUE(rc::check([](const std::vector<std::int64_t>& values) {
    const auto info = package();
    Counter counter(info);
    int at = 0;
    for (const auto value : values) {
      const auto interval = counter.advance(good(at += 5, value));
      if (!interval) continue;
      RC_ASSERT(interval->energy >= Energy{});
      RC_ASSERT(interval->bound >= Energy{});
      RC_ASSERT(!interval->gap || interval->gap->bound >= Energy{});
    }
  }));
}

}  // namespace
}  // namespace codecarbon
