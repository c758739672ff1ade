// Real processes of this machine against what the kernel says of them when they have ended.

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "readings/probe.hpp"
#include "sensors/process/process_table.hpp"
#include "sensors/process/process_tree.hpp"
#include "sensors/process/task_clock.hpp"

namespace codecarbon::process {
namespace {

using std::chrono::milliseconds;

Duration cpu_time(int whose) {
  rusage use{};
  ::getrusage(whose, &use);
  const auto time = [](const timeval& value) {
    return std::chrono::seconds(value.tv_sec) + std::chrono::microseconds(value.tv_usec);
  };
  return time(use.ru_utime) + time(use.ru_stime);
}

/// Uses so much CPU time.
void burn(Duration time) {
  const Duration until = cpu_time(RUSAGE_SELF) + time;
  while (cpu_time(RUSAGE_SELF) < until) continue;
}

[[noreturn]] void burn_and_end(Duration time) {
  burn(time);
  ::_exit(0);
}

void wait_for_all() {
  while (::waitpid(-1, nullptr, 0) > 0) continue;
}

/// A child that works on while one of its own works in the background and outlives it.
[[noreturn]] void fork_twice() {
  if (::fork() == 0) {
    burn_and_end(milliseconds(80));
  }
  burn_and_end(milliseconds(20));
}

/// Many that live 20 ms, some that live longer, one that is left behind by its parent.
void run_children() {
  for (int i = 0; i < 12; ++i) {
    if (::fork() == 0) burn_and_end(milliseconds(20));
  }
  for (int i = 1; i <= 3; ++i) {
    if (::fork() == 0) burn_and_end(milliseconds(40 * i));
  }
  if (::fork() == 0) fork_twice();
}

class RealProcesses : public testing::Test {
 protected:
  // Orphans come to this process, so that the truth is known of all.
  RealProcesses() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }
  ~RealProcesses() override { ::prctl(PR_SET_CHILD_SUBREAPER, 0); }

  static void expect_close(Duration ours, Duration truth) {
    EXPECT_GT(truth, milliseconds(400));
    EXPECT_NEAR(seconds(ours), seconds(truth), 0.05 * seconds(truth));
  }
};

TEST_F(RealProcesses, TheWalkFindsTheTimeOfAllDescendants) {
  const Host host("/", Environment{}, std::make_shared<SystemClock>());
  auto table = ProcessTable::open(host);
  ASSERT_TRUE(table);
  ProcessTree tree(::getpid(), TrackedProcesses::children);
  tree.look(table->read());
  const Duration before = cpu_time(RUSAGE_CHILDREN);
  run_children();
  for (int looks = 0; looks < 5; ++looks) {
    std::this_thread::sleep_for(milliseconds(30));
    tree.look(table->read());
  }
  EXPECT_TRUE(tree.owns(::getpid()) == false && tree.live() >= 1);
  wait_for_all();
  tree.look(table->read());
  expect_close(tree.ticks() * milliseconds(1000 / ::sysconf(_SC_CLK_TCK)),
               cpu_time(RUSAGE_CHILDREN) - before);
}

TEST_F(RealProcesses, TheClockCountsThreadsAndAllDescendants) {
  const auto clock = TaskClock::open(TrackedProcesses::self);
  if (!clock) GTEST_SKIP() << std::strerror(clock.error());
  const Duration start = *clock->read();
  const Duration before = cpu_time(RUSAGE_SELF) + cpu_time(RUSAGE_CHILDREN);
  std::thread([] { burn(milliseconds(50)); }).join();
  run_children();
  wait_for_all();
  expect_close(*clock->read() - start, cpu_time(RUSAGE_SELF) + cpu_time(RUSAGE_CHILDREN) - before);
}

/// A shell that works, leaves a job behind and starts other programs.
void spawn_shell() {
  const std::string burn = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done";
  const std::string script = "(" + burn + ") & " + burn + "; sh -c '" + burn + "'";
  const char* words[] = {"sh", "-c", script.c_str(), nullptr};
  pid_t pid = 0;
  ASSERT_EQ(::posix_spawn(&pid, "/bin/sh", nullptr, nullptr, const_cast<char**>(words), environ),
            0);
}

TEST_F(RealProcesses, TheClockOfChildrenCountsProgramsAndNotThisProcess) {
  const auto clock = TaskClock::open(TrackedProcesses::children);
  if (!clock) GTEST_SKIP() << std::strerror(clock.error());
  burn(milliseconds(100));
  EXPECT_LT(*clock->read(), milliseconds(5));
  const Duration before = cpu_time(RUSAGE_CHILDREN);
  for (int i = 0; i < 4; ++i) spawn_shell();
  wait_for_all();
  expect_close(*clock->read(), cpu_time(RUSAGE_CHILDREN) - before);
}

}  // namespace
}  // namespace codecarbon::process
