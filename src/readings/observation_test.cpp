#include "readings/observation.hpp"

#include <gtest/gtest.h>

namespace codecarbon {
namespace {

using std::chrono::milliseconds;

Observation watch(Duration update, std::int64_t step, int looks) {
  Observation observation;
  for (int i = 0; i < looks; ++i) {
    const MonoTime at{milliseconds(i)};
    observation.note(at, {at, 1000 + step * (at.time_since_epoch() / update)});
  }
  return observation;
}

TEST(Observation, SeesHowOftenAndByHowMuchASourceMoves) {
  const auto pace = watch(milliseconds(20), 61, 300).pace();
  ASSERT_TRUE(pace.has_value());
  EXPECT_EQ(pace->update_period, milliseconds(20));
  EXPECT_EQ(pace->smallest_step, 61);
}

TEST(Observation, SaysNothingOfASourceThatHardlyMovedOrGaveNothing) {
  EXPECT_FALSE(watch(milliseconds(200), 61, 300).pace().has_value());
  EXPECT_FALSE(watch(milliseconds(1), 0, 300).pace().has_value());
  Observation faulty;
  for (int i = 0; i < 9; ++i) {
    faulty.note(MonoTime(milliseconds(i)),
                {MonoTime(milliseconds(i)), tl::unexpected(ReadFault::gone)});
  }
  EXPECT_FALSE(faulty.pace().has_value());
}

TEST(Observation, AFaultBetweenTwoReadingsIsNoChange) {
  Observation observation;
  const auto show = [&](int at_ms, tl::expected<std::int64_t, ReadFault> value) {
    observation.note(MonoTime(milliseconds(at_ms)), {MonoTime(milliseconds(at_ms)), value});
  };
  show(0, 5);
  show(1, tl::unexpected(ReadFault::empty));
  show(2, 5);
  show(3, 9);
  show(4, 7);  // it fell: a gauge does
  ASSERT_TRUE(observation.pace().has_value());
  EXPECT_EQ(observation.pace()->smallest_step, 2);
  EXPECT_EQ(observation.pace()->update_period, milliseconds(1));
}

}  // namespace
}  // namespace codecarbon
