#include "codecarbon/clock.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace codecarbon {
namespace {

using std::chrono::milliseconds;

TEST(ManualClock, AdvanceRunsAPeriodicThreadAtEachOfItsDeadlines) {
  ManualClock clock;
  Alarm alarm;
  std::vector<MonoTime> woken;
  std::thread periodic([&] {
    for (MonoTime next = clock.now() + milliseconds(10);; next += milliseconds(10)) {
      if (clock.wait_until(next, alarm)) return;
      woken.push_back(clock.now());
    }
  });
  clock.await_waiters(1);
  clock.advance(milliseconds(35));
  EXPECT_EQ(clock.now(), MonoTime(milliseconds(35)));
  alarm.ring();
  periodic.join();
  EXPECT_EQ(woken, (std::vector{MonoTime(milliseconds(10)), MonoTime(milliseconds(20)),
                                MonoTime(milliseconds(30))}));
}

TEST(SystemClock, AlarmEndsAnEndlessWait) {
  const SystemClock clock;
  Alarm alarm;
  alarm.ring();
  EXPECT_TRUE(clock.wait_until(MonoTime::max(), alarm));
}

TEST(SystemClock, AlarmWakesAThreadThatWaitsAndStaysRungUntilCleared) {
  const SystemClock clock;
  Alarm alarm;
  bool first = false;
  bool second = false;
  std::thread waiting([&] {
    first = clock.wait_until(MonoTime::max(), alarm);
    second = clock.wait_until(MonoTime::max(), alarm);
  });
  alarm.ring();
  alarm.ring();
  waiting.join();
  EXPECT_TRUE(first);
  EXPECT_TRUE(second);
  EXPECT_TRUE(alarm.is_rung());
  alarm.clear();
  EXPECT_FALSE(alarm.is_rung());
  EXPECT_FALSE(clock.wait_until(clock.now(), alarm));
}

TEST(SystemClock, WaitEndsNoEarlierThanItsDeadline) {
  const SystemClock clock;
  Alarm never;
  const MonoTime deadline = clock.now() + milliseconds(2);
  EXPECT_FALSE(clock.wait_until(deadline, never));
  EXPECT_GE(clock.now(), deadline);
}

TEST(SystemClock, DeadlineInThePastReturnsAtOnce) {
  const SystemClock clock;
  Alarm alarm;
  EXPECT_FALSE(clock.wait_until(clock.now() - milliseconds(1), alarm));
  EXPECT_FALSE(clock.wait_until(MonoTime::min(), alarm));
}

}  // namespace
}  // namespace codecarbon
