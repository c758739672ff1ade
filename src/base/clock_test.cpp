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

TEST(SystemClock, DeadlineInThePastReturnsAtOnce) {
  const SystemClock clock;
  Alarm alarm;
  EXPECT_FALSE(clock.wait_until(clock.now() - milliseconds(1), alarm));
}

}  // namespace
}  // namespace codecarbon
