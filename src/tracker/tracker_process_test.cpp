// What a tracker does to the process it lives in: threads, descriptors, fork, exit.

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "sampling/worker_threads.hpp"
#include "tracker/tracker_fixture.hpp"

namespace codecarbon {
namespace {

std::size_t entries(const char* folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}

std::size_t lines_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::size_t count = 0;
  for (std::string line; std::getline(stream, line);) ++count;
  return count;
}

/// Runs `body` in a forked child; its exit status.
template <class Body>
int in_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    std::exit(9);  // not reached by bodies that exit themselves
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class ProcessTest : public TrackerTest {
 protected:
  Options with_file() {
    Options options;
    options.save_to_file = true;
    options.output_dir = folder.string();
    return options;
  }
  std::filesystem::path csv() const { return folder / "emissions.csv"; }
};

TEST_F(ProcessTest, TwoHundredLivesLeaveNoThreadAndNoDescriptor) {
  const auto live = [this] {
    auto tracker = make(kHundredWatts, with_file());
    tracker.start();
    tracker.pause();
    tracker.resume();
    tracker.stop();
  };
  live();
  const auto descriptors = entries("/proc/self/fd");
  for (int i = 0; i < 200; ++i) live();
  // A thread that was joined may be listed for a moment longer; one that was not, for ever.
  for (int look = 0; look < 1000 && worker_threads() > 0; ++look) ::sched_yield();
  EXPECT_EQ(worker_threads(), 0U);
  EXPECT_EQ(entries("/proc/self/fd"), descriptors);
  EXPECT_EQ(lines_of(csv()), 1U + 201U * 2U);
}

/// Keeps a thread of its own for the totals between rows.
class LiveSink final : public Sink {
 public:
  std::string_view name() const override { return "live"; }
  int live_every() const override { return 1; }
  Status write(const Report&) override { return {}; }
  Status write_tasks(std::span<const TaskReport>) override { return {}; }
};

TEST_F(ProcessTest, BetweenRunsThereIsNoThreadAndTheNextStartHasOneAgain) {
  const auto await_their_end = [] {
    while (worker_threads() > 0) ::sched_yield();
  };
  more_sinks = {std::make_shared<LiveSink>()};
  auto tracker = make(kHundredWatts);
  for (int round = 0; round < 3; ++round) {
    tracker.stop_task(tracker.start_task("between runs"));
    await_their_end();
    tracker.start();
    clock->await_waiters(2);
    pass(std::chrono::seconds(20));
    tracker.pause();
    tracker.start_task("while paused");
    tracker.stop();
    await_their_end();
    tracker.start_task("open at the stop of nothing");
    tracker.stop_task();
    await_their_end();
  }
  EXPECT_EQ(sink->reports.back().energy(), Energy::from_joules(6000));
  EXPECT_EQ(tracker.tasks().size(), 9U);
}

TEST_F(ProcessTest, AProcessThatExitsWhileItRunsWritesItsRowAndKeepsItsExitCode) {
  const int code = in_child([this] {
    auto* leaked = new Tracker(make(kHundredWatts, with_file()));
    leaked->start();
    std::exit(7);
  });
  EXPECT_EQ(code, 7);
  EXPECT_EQ(lines_of(csv()), 2U);
}

TEST_F(ProcessTest, SignalHandlersStayTheProgramsOwn) {
  const auto handler = [](int) {};
  struct sigaction mine {};
  mine.sa_handler = handler;
  struct sigaction before {};
  ::sigaction(SIGTERM, &mine, &before);
  {
    auto tracker = make(kHundredWatts);
    tracker.start();
    tracker.stop();
  }
  struct sigaction after {};
  ::sigaction(SIGTERM, &before, &after);
  EXPECT_EQ(after.sa_handler, mine.sa_handler);
}

TEST_F(ProcessTest, AfterForkTheChildsCopyIsInertAndANewTrackerThereWorks) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer cannot start threads in a child of a threaded process";
#endif
  auto tracker = make(kHundredWatts, with_file());
  tracker.start();
  const int code = in_child([&] {
    said.clear();
    const bool inert = !tracker.stop() && !tracker.flush() && !tracker.stop_task("x");
    const bool said_once = said.size() == 1;
    {
      const Tracker gone = std::move(tracker);  // destroyed here, in the child
    }
    clock = std::make_shared<ManualClock>();  // the old one's lock may have been held at the fork
    auto fresh = make(kHundredWatts, with_file());
    fresh.start();
    const bool works = fresh.stop().has_value();
    ::_exit(inert && said_once && works ? 0 : 1);
  });
  EXPECT_EQ(code, 0);
  tracker.stop();
  EXPECT_EQ(lines_of(csv()), 3U);  // header, the child's own tracker, the parent's
}

TEST_F(ProcessTest, AForkInTheMiddleOfEverythingNeverHangsTheChild) {
  auto tracker = make(kHundredWatts, with_file());
  std::atomic<bool> done = false;
  std::thread busy([&] {
    while (!done) {
      tracker.start();
      tracker.flush();
      tracker.stop();
    }
  });
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(in_child([&] {
                tracker.stop();
                tracker.report();
                ::_exit(0);
              }),
              0);
  }
  done = true;
  busy.join();
}

TEST_F(ProcessTest, CallsFromManyThreadsAtOnceKeepTotalsMonotone) {
  auto tracker = make(kHundredWatts);
  tracker.start();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        pass(std::chrono::milliseconds(1));
        switch ((i + t) % 5) {
          case 0:
            tracker.pause();
            break;
          case 1:
            tracker.resume();
            break;
          case 2:
            tracker.flush();
            break;
          case 3:
            tracker.stop_task(tracker.start_task("t"));
            break;
          default:
            tracker.report();
            break;
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  tracker.stop();
  Energy previous;
  for (const Report& report : sink->reports) {
    EXPECT_GE(report.energy(), previous);
    previous = report.energy();
  }
}

}  // namespace
}  // namespace codecarbon
