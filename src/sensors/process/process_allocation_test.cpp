/// A look at the processes allocates nothing once it has seen as many as there are, whatever they
/// do and whatever their files say. Counts what this program allocates.

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "readings/allocations_fixture.hpp"
#include "sensors/process/fake_proc_fixture.hpp"
#include "sensors/process/process.hpp"
#include "sensors/process/task_clock.hpp"

namespace codecarbon::process {
namespace {

using testing_support::allocations_so_far;
using testing_support::FakeProc;

constexpr int kRoot = 10;
constexpr int kMost = 60;

/// A root and, of 59 others, those from `first` on; every second one is a child of the one before.
void populate(const FakeProc& proc, int first) {
  for (int pid = kRoot; pid < kRoot + kMost; ++pid) {
    proc.end(pid);
    if (pid == kRoot || pid >= first) proc.write(pid, pid % 2 == 0 ? 1 : pid - 1, pid, pid);
  }
}

long allocated_by(const std::function<void()>& action) {
  const long before = allocations_so_far();
  action();
  return allocations_so_far() - before;
}

TEST(ProcessAllocation, NoLookAllocatesOnceAllHaveBeenSeen) {
  using Case = std::pair<TrackedProcesses, std::filesystem::path>;
  for (const auto& [tracked, original] :
       {Case(TrackedProcesses::self, {}), Case(TrackedProcesses::children, {}),
        Case(TrackedProcesses::self, testing_support::machine("container-big-host"))}) {
    const FakeProc proc(original);
    populate(proc, kRoot);
    proc.be(kRoot);
    SensorSettings settings;
    settings.processes = tracked;
    const auto source = discover(proc.copy.host(), settings).processes;
    const auto look = [&] {
      source->read({});
      source->owns(kRoot + 1);
    };
    look();
    look();  // what was seen before is kept beside what is seen now
    for (int round = 0; round < 40; ++round) {
      populate(proc, kRoot + round * 17 % kMost);
      EXPECT_EQ(allocated_by(look), 0) << round;
    }
    for (const char* garbage : {"", "x", "cpu", "10 (a) R 1"}) {
      proc.copy.write("proc/10/stat", garbage);
      proc.copy.write("proc/meminfo", garbage);
      proc.copy.write("proc/stat", garbage);
      EXPECT_EQ(allocated_by(look), 0) << garbage;
    }
  }
  EXPECT_GT(allocated_by([] { const FakeProc another; }), 0) << "they are counted";
}

TEST(ProcessAllocation, TheClockAllocatesNothing) {
  const auto clock = TaskClock::open(TrackedProcesses::children);
  if (!clock) GTEST_SKIP() << std::strerror(clock.error());
  EXPECT_EQ(allocated_by([&] { EXPECT_TRUE(clock->read()); }), 0);
}

}  // namespace
}  // namespace codecarbon::process
