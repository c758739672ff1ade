#include "sensors/process/process.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <string>
#include <vector>

#include "readings/process_meter.hpp"
#include "sensors/process/fake_proc_fixture.hpp"

namespace codecarbon::process {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing_support::FakeProc;
using testing_support::MachineCopy;

constexpr std::int64_t kCapacityTicks = 1600;  // a second of 16 processors

/// The back-end of a process that is this one.
std::unique_ptr<ProcessSource> source_of(const FakeProc& proc, int pid) {
  proc.be(pid);
  SensorSettings settings;
  settings.processes = TrackedProcesses::self;
  return discover(proc.copy.host(), settings).processes;
}

TEST(Process, LooksAtNothingUnlessAsked) {
  const FakeProc proc;
  const auto discovery = discover(proc.copy.host(), {});
  EXPECT_EQ(discovery.processes, nullptr);
  EXPECT_TRUE(discovery.findings.empty());
}

TEST(Process, ReadsTimesAndMemory) {
  const FakeProc proc;
  proc.write(10, 1, 5, 0);
  proc.write(11, 10, 5, 0);
  const auto source = source_of(proc, 10);
  source->read({});
  proc.write(11, 10, 8, 0);
  proc.write_machine(40, 400);
  const auto reading = source->read({});
  ASSERT_TRUE(reading.cpu && reading.memory);
  EXPECT_EQ(reading.cpu->own, milliseconds(30));
  EXPECT_EQ(reading.cpu->busy, milliseconds(400));
  EXPECT_EQ(reading.cpu->capacity, seconds(4));
  EXPECT_EQ(reading.cpu->own_error, milliseconds(80)) << "four sums of two processes";
  EXPECT_EQ(reading.memory->own, 512 * ::sysconf(_SC_PAGESIZE));
  EXPECT_EQ(reading.memory->used, 512LL << 20U);
  EXPECT_EQ(source->owns(10), std::nullopt) << "nothing says what numbers mean here";
}

TEST(Process, BadFilesAreUnknownAndCostNobodyAnything) {
  for (const char* garbage : {"", "x", "cpu", "10 (", "\xff\n", "10 (a) R 1"}) {
    const FakeProc proc;
    proc.write(10, 1, 5, 0);
    proc.write(11, 10, 5, 0);
    const auto source = source_of(proc, 10);
    source->read({});
    proc.copy.write("proc/11/stat", garbage);
    proc.write(10, 1, 9, 0);
    EXPECT_EQ(source->read({}).cpu->own, milliseconds(40)) << garbage;
    proc.copy.write("proc/meminfo", garbage);
    EXPECT_FALSE(source->read({}).memory) << garbage;
    EXPECT_TRUE(source->read({}).cpu) << garbage;
    proc.copy.write("proc/stat", garbage);
    EXPECT_FALSE(source->read({}).cpu) << garbage;
    proc.end(10);
    proc.end(11);
    EXPECT_FALSE(source->read({}).cpu) << garbage;
  }
}

TEST(Process, WithoutProcThereIsNoShareAndAReason) {
  const MachineCopy empty;
  SensorSettings settings;
  settings.processes = TrackedProcesses::self;
  const auto discovery = discover(empty.host(), settings);
  EXPECT_EQ(discovery.processes, nullptr);
  ASSERT_EQ(discovery.findings.size(), 1U);
  EXPECT_FALSE(discovery.findings[0].reason.empty());
}

/// One of sixteen processes: it works itself, or sleeps and has children that live 20 ms.
struct Worker {
  int pid;
  int ticks_a_step;  // at each step of 100 ms, of 160 ticks
  bool by_children;
  std::int64_t used = 0;

  void step(const FakeProc& proc) {
    used += ticks_a_step;
    proc.write(pid, 1, by_children ? 0 : used, by_children ? used : 0);
  }
};

TEST(Process, SixteenProcessesSharesSumToTheWholeInProportionToTheirTime) {
  const FakeProc proc;
  std::vector<Worker> workers;
  std::vector<std::unique_ptr<ProcessSource>> sources;
  for (int i = 0; i < 16; ++i) {
    workers.push_back({100 + i, i / 2 + 1, i % 2 == 1});
    workers.back().step(proc);
    sources.push_back(source_of(proc, 100 + i));
  }
  std::vector<ProcessMeter> meters(16);
  std::vector<Split> splits(16);
  Energy machine;
  std::int64_t busy = 0;
  for (int step = 0; step <= 100; ++step) {
    proc.write_machine(busy, step * kCapacityTicks / 10);
    const MonoTime now = MonoTime(milliseconds(100 * step));
    const Energy energy = Energy::from_uj(step == 0 ? 0 : 7'654'321 + 1000 * step);
    machine += energy;
    for (std::size_t i = 0; i < 16; ++i) {
      const auto use = meters[i].advance(now, sources[i]->read(now));
      if (use) splits[i].add(energy, use->cpu_share());
    }
    for (Worker& worker : workers) {
      worker.step(proc);
      busy += worker.ticks_a_step;
    }
  }
  const double all_ticks = static_cast<double>(busy);
  std::int64_t own_uj = 0;
  for (const Split& split : splits) own_uj += split.own.uj();
  EXPECT_NEAR(static_cast<double>(own_uj + splits[0].idle.uj()), static_cast<double>(machine.uj()),
              16);
  for (std::size_t i = 0; i < 16; ++i) {
    const double fair =
        static_cast<double>(workers[i].used) / (all_ticks + 72) * static_cast<double>(own_uj);
    EXPECT_NEAR(static_cast<double>(splits[i].own.uj()), fair, 0.05 * fair) << i;
  }
}

}  // namespace
}  // namespace codecarbon::process
