#include "beats.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace codecarbon {
namespace {

constexpr Duration kPeriod{1000};
constexpr int kBeats = 10;

/// The opening, then a reading at each of these times, in periods after it.
double share_of(const std::vector<double>& periods) {
  std::vector<MonoTime> readings{MonoTime(Duration(5))};
  for (const double at : periods) {
    readings.push_back(readings.front() + Duration(static_cast<std::int64_t>(at * 1000)));
  }
  return late_share(readings, kPeriod, kBeats * kPeriod);
}

TEST(Beats, OnTimeIsFromATenthBeforeToHalfAPeriodAfter) {
  for (const double offset : {-0.1, 0.0, 0.2, 0.5}) {
    std::vector<double> all;
    for (int i = 1; i <= kBeats; ++i) all.push_back(i + offset);
    EXPECT_EQ(share_of(all), 0.0) << offset;
  }
}

TEST(Beats, HoweverLateItIsLate) {
  for (const double offset : {0.501, 0.6, 0.85}) {
    EXPECT_EQ(share_of({1, 2, 3 + offset, 4, 5, 6, 7, 8, 9, 10}), 0.1) << offset;
  }
  // More than a period late: it stands where the next beat belongs, and only for that one.
  EXPECT_EQ(share_of({1, 2, 4.2, 5, 6, 7, 8, 9, 10}), 0.1);
  EXPECT_EQ(share_of({1, 2, 4.2, 4.3, 5, 6, 7, 8, 9, 10}), 0.1);
  EXPECT_EQ(share_of({1, 2, 7.2, 8, 9, 10}), 0.4);
}

TEST(Beats, BeatsWithoutAReadingAreLate) {
  EXPECT_EQ(share_of({}), 1.0);
  EXPECT_EQ(share_of({1, 2, 3, 4, 5}), 0.5);
  EXPECT_EQ(share_of({2, 4, 6, 8, 10}), 0.5);
}

TEST(Beats, ReadingsPastTheWindowMakeUpForNothing) {
  EXPECT_EQ(share_of({1, 2, 3, 4, 5, 11, 12, 13}), 0.5);
}

TEST(Beats, NothingToBeLateFor) {
  EXPECT_EQ(late_share({}, kPeriod, kBeats * kPeriod), 0.0);
  const std::vector<MonoTime> opening{MonoTime(Duration(5))};
  EXPECT_EQ(late_share(opening, kPeriod, kPeriod / 2), 0.0);
}

}  // namespace
}  // namespace codecarbon
