#include "readings/ledger.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace codecarbon {
namespace {

using std::chrono::seconds;

constexpr Duration kAnyLength{};

Interval interval(int from_s, int to_s, std::int64_t energy_uj) {
  return {MonoTime(seconds(from_s)), MonoTime(seconds(to_s)), Energy::from_uj(energy_uj), {}, {}};
}

TEST(Window, CountsOnlyWhileOpen) {
  Window window(1);
  window.add(0, interval(0, 1, 10), kAnyLength);
  window.open(MonoTime(seconds(1)));
  window.add(0, interval(1, 2, 20), kAnyLength);
  window.close(MonoTime(seconds(2)));
  window.add(0, interval(2, 3, 40), kAnyLength);
  window.open(MonoTime(seconds(3)));
  window.add(0, interval(3, 4, 80), kAnyLength);
  const Ledger totals = window.totals(MonoTime(seconds(5)));
  EXPECT_EQ(totals.energies[0].energy, Energy::from_uj(100));
  EXPECT_EQ(totals.active, seconds(3));
  EXPECT_EQ(totals.segments, 2);
}

TEST(Window, AnIntervalThatBeganBeforeItIsSharedByTimeAndTheSplitIsBounded) {
  Window window(1);
  window.open(MonoTime(seconds(3)));
  window.add(0, interval(0, 4, 400), kAnyLength);
  const Account account = window.totals(MonoTime(seconds(4))).energies[0];
  EXPECT_EQ(account.energy, Energy::from_uj(100));
  EXPECT_EQ(account.bound, Energy::from_uj(300));
}

TEST(Window, ConsecutiveWindowsOverWholeIntervalsSumToTheRun) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint32_t>& steps) {
    Window run(1);
    Energy parts;
    run.open(MonoTime{});
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto from = static_cast<int>(i);
      Window part(1);
      part.open(MonoTime(seconds(from)));
      for (Window* window : {&run, &part}) {
        window->add(0, interval(from, from + 1, steps[i]), kAnyLength);
      }
      part.close(MonoTime(seconds(from + 1)));
      parts += part.totals({}).energies[0].energy;
    }
    RC_ASSERT(run.totals({}).energies[0].energy == parts);
  }));
}

TEST(Window, OfAGapOnlyThePartInTheOpenSegmentCounts) {
  const Gap gap{GapCause::unreadable, seconds(100), Energy::from_joules(1000)};
  Window window(1);
  window.open(MonoTime(seconds(99)));
  window.add(0, gap, MonoTime(seconds(100)));
  Interval late = interval(0, 100, 0);
  late.gap = gap;
  window.add(0, late, kAnyLength);
  const Account account = window.totals(MonoTime(seconds(100))).energies[0];
  EXPECT_EQ(account.gap_time(), seconds(2));
  EXPECT_EQ(account.gap_bound(), Energy::from_joules(20));
}

TEST(Window, AUsageIsAMeanOverTheTimeItWasOpen) {
  Window window(1);
  window.open(MonoTime(seconds(1)));
  window.add_usage(0, 100.0, MonoTime(seconds(0)), MonoTime(seconds(2)));
  window.add_usage(0, 0.0, MonoTime(seconds(2)), MonoTime(seconds(5)));
  EXPECT_DOUBLE_EQ(window.totals({}).usages[0].mean().value(), 25.0);
}

TEST(Window, AZeroLengthHasNoMeanAndNoNegativeTime) {
  Window window(1);
  window.open(MonoTime(seconds(2)));
  window.close(MonoTime(seconds(2)));
  EXPECT_EQ(window.totals({}).active, Duration{});
  EXPECT_EQ(window.totals({}).usages[0].mean(), std::nullopt);
}

TEST(Window, DividesWhatCameSinceTheLastTime) {
  Window window(1);
  window.divide(0, Share{1, 0, 0}, MonoTime(seconds(0)), MonoTime(seconds(1)));
  window.open(MonoTime(seconds(1)));
  window.add(0, interval(1, 2, 100), kAnyLength);
  window.divide(0, Share{0.5, 0.25, 0}, MonoTime(seconds(1)), MonoTime(seconds(2)));
  window.add(0, interval(2, 3, 1000), kAnyLength);
  window.divide(0, std::nullopt, MonoTime(seconds(2)), MonoTime(seconds(3)));
  const Split split = window.totals(MonoTime(seconds(3))).energies[0].split;
  EXPECT_EQ(split.own, Energy::from_uj(50));
  EXPECT_EQ(split.idle, Energy::from_uj(25));
  EXPECT_EQ(split.rest, Energy::from_uj(1025));
  EXPECT_EQ(split.bound, Energy::from_uj(1000));
  EXPECT_EQ(split.undivided, Energy::from_uj(1000));
  EXPECT_EQ(split.unknown_time, seconds(1));
}

TEST(Window, AShareOfATimeBeforeItOpenedSaysLittle) {
  Window window(1);
  window.open(MonoTime(seconds(2)));
  window.add(0, interval(2, 3, 100), kAnyLength);
  window.divide(0, Share{0.25, 0, 0}, MonoTime(seconds(1)), MonoTime(seconds(3)));
  const Split split = window.totals(MonoTime(seconds(3))).energies[0].split;
  EXPECT_EQ(split.own, Energy::from_uj(25));
  EXPECT_EQ(split.bound, Energy::from_uj(75));
}

}  // namespace
}  // namespace codecarbon
