#include "sampling/periodic_worker.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <vector>

#include "sampling/worker_threads.hpp"

namespace codecarbon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(PeriodicWorker, WorksAtAbsoluteDeadlines) {
  const auto clock = std::make_shared<ManualClock>();
  std::vector<MonoTime> worked;
  PeriodicWorker worker(clock, [&] { worked.push_back(clock->now()); });
  worker.run_every(seconds(1));
  clock->await_waiters(1);
  clock->advance(milliseconds(3500));
  EXPECT_EQ(worked,
            (std::vector{MonoTime(seconds(1)), MonoTime(seconds(2)), MonoTime(seconds(3))}));
}

TEST(PeriodicWorker, ScatteredItWorksOnceAPeriodAtMomentsThatFillItEvenly) {
  const auto clock = std::make_shared<ManualClock>();
  std::vector<MonoTime> worked;
  PeriodicWorker worker(clock, [&] { worked.push_back(clock->now()); });
  worker.run_every(seconds(1), Rhythm::scattered);
  clock->await_waiters(1);
  clock->advance(seconds(1001));
  ASSERT_EQ(worked.size(), 1000U);
  std::vector<int> by_tenth(10);
  for (std::size_t i = 0; i < worked.size(); ++i) {
    const Duration phase = worked[i] - MonoTime(seconds(i + 1));
    ASSERT_GE(phase, Duration{});
    ASSERT_LT(phase, seconds(1));
    ++by_tenth[static_cast<std::size_t>(phase / milliseconds(100))];
  }
  for (const int count : by_tenth) EXPECT_NEAR(count, 100, 40);
}

TEST(PeriodicWorker, WorkThatOutlastsItsPeriodSkipsBeatsAndKeepsTheRhythm) {
  const auto clock = std::make_shared<ManualClock>();
  std::vector<MonoTime> worked;
  std::atomic<bool> busy = false;
  PeriodicWorker worker(clock, [&] {
    EXPECT_FALSE(busy.exchange(true)) << "two at once";
    worked.push_back(clock->now());
    if (worked.size() == 1) {
      Alarm never;
      clock->wait_until(MonoTime(milliseconds(3700)), never);  // takes 2.7 s
    }
    busy = false;
  });
  worker.run_every(seconds(1));
  clock->await_waiters(1);
  clock->advance(seconds(1));
  clock->advance(seconds(3));
  EXPECT_EQ(worked, (std::vector{MonoTime(seconds(1)), MonoTime(seconds(4))}));
}

TEST(PeriodicWorker, ParkedItDoesNothingAndRunsAgainWhenTold) {
  const auto clock = std::make_shared<ManualClock>();
  std::atomic<int> worked = 0;
  PeriodicWorker worker(clock, [&] { ++worked; });
  worker.run_every(seconds(1));
  clock->await_waiters(1);
  clock->advance(seconds(2));
  worker.park();
  clock->advance(seconds(10));
  EXPECT_EQ(worked, 2);
  worker.run_every(seconds(1));
  // When the thread takes the new plan up is its own affair: this ends once it has worked again.
  while (worked < 3) clock->advance(milliseconds(500));
}

TEST(PeriodicWorker, RetiredItsThreadEndsAndAnotherComesWhenTold) {
  const auto clock = std::make_shared<ManualClock>();
  std::atomic<int> worked = 0;
  PeriodicWorker worker(clock, [&] { ++worked; });
  for (int round = 0; round < 3; ++round) {
    worker.run_every(seconds(1));
    const int before = worked;
    while (worked == before) clock->advance(milliseconds(500));
    worker.retire();
    while (worker_threads() > 0) std::this_thread::yield();
    const int done = worked;
    clock->advance(seconds(10));
    EXPECT_EQ(worked, done);
  }
}

TEST(PeriodicWorker, RetiredAndToldToRunAtOnceItRuns) {
  const auto clock = std::make_shared<ManualClock>();
  std::atomic<int> worked = 0;
  PeriodicWorker worker(clock, [&] { ++worked; });
  for (int round = 1; round <= 200; ++round) {
    worker.run_every(seconds(1));
    worker.retire();
    worker.run_every(seconds(1));
    while (worked < round) clock->advance(milliseconds(500));
  }
}

TEST(PeriodicWorker, ItsThreadTakesNoSignals) {
  const auto clock = std::make_shared<ManualClock>();
  sigset_t blocked;
  ::sigemptyset(&blocked);
  std::atomic<bool> worked = false;
  PeriodicWorker worker(clock, [&] {
    ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    worked = true;
  });
  worker.run_every(seconds(1));
  clock->await_waiters(1);
  clock->advance(seconds(1));
  ASSERT_TRUE(worked);
  for (const int signal : {SIGINT, SIGTERM, SIGCHLD, SIGALRM}) {
    EXPECT_EQ(::sigismember(&blocked, signal), 1) << signal;
  }
}

TEST(PeriodicWorker, DestroyedWithoutHavingRunItNeedsNoThread) {
  PeriodicWorker worker(std::make_shared<SystemClock>(), [] { FAIL(); });
}

}  // namespace
}  // namespace codecarbon
