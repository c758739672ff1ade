// The share of a process, as a tracker tells it: whatever processes do, the parts are the machine.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "readings/share.hpp"
#include "sensors/process/fake_proc_fixture.hpp"
#include "tracker/tracker_fixture.hpp"

namespace codecarbon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing_support::FakeProc;

constexpr int kSelf = 100;
constexpr int kChild = 101;
constexpr int kOther = 200;
constexpr int kProcessors = 4;
constexpr Duration kTick = milliseconds(10);

constexpr const char* kNode = R"({
  "sockets": [{"package": {"power_w": {"square": {"low_w": 30, "high_w": 170, "period_ms": 370}},
                           "range_j": 65532.610987, "resolution_uj": 61},
               "dram": {"power_w": 7.5, "range_j": 65532.610987}},
              {"package": {"power_w": 88.25, "start_j": 65500, "range_j": 65532.610987}}],
  "gpus": [{"name": "G", "power_w": 300}]})";

/// What was worked in a stretch of time, in ticks.
struct Work {
  int own = 0;
  int child = 0;
  int others = 0;
};

/// This program, one child of it and a stranger, on four processors.
class ProcessModeTest : public TrackerTest {
 protected:
  ProcessModeTest() {
    proc_.be(kSelf);
    show();
  }

  Options in_process_mode() const {
    Options options;
    options.tracking_mode = TrackingMode::process;
    options.host_root = proc_.copy.root().string();
    return options;
  }

  void work(Work work, Duration time) {
    own_ += work.own;
    if (!child_) child_ = 0;
    *child_ += work.child;
    others_ += work.others;
    total_ += kProcessors * (time / kTick);
    show();
    pass(time);
  }
  /// The child ends, and this program waits for it.
  void end_child() {
    waited_for_ += child_.value_or(0);
    child_.reset();
    proc_.end(kChild);
    show();
  }

  FakeProc proc_;

 private:
  void show() const {
    proc_.write(kSelf, 1, own_, waited_for_);
    if (child_) proc_.write(kChild, kSelf, *child_, 0);
    proc_.write(kOther, 1, others_, 0);
    proc_.write_machine(own_ + waited_for_ + child_.value_or(0) + others_, total_);
  }

  std::int64_t own_ = 0;
  std::optional<std::int64_t> child_;
  std::int64_t waited_for_ = 0;
  std::int64_t others_ = 0;
  std::int64_t total_ = 0;
};

void assert_division(const ShareReport& share, const ComponentReport& own,
                     const ComponentReport& machine) {
  RC_ASSERT(share.machine() == machine.energy);
  RC_ASSERT(share.own == own.energy);
  RC_ASSERT(share.own >= Energy{});
  RC_ASSERT(share.rest >= Energy{});
  RC_ASSERT(share.idle >= Energy{});
  RC_ASSERT(share.unknown <= share.rest);
}

/// Both are of the same stretch; `own` is in process mode, `machine` is not.
void assert_division(const Report& own, const Report& machine) {
  RC_ASSERT(own.tracking_mode == "process");
  RC_ASSERT(own.share.has_value());
  assert_division(own.share->cpu, own.cpu, machine.cpu);
  assert_division(own.share->gpu, own.gpu, machine.gpu);
  assert_division(own.share->ram, own.ram, machine.ram);
  RC_ASSERT(own.duration == machine.duration);
  RC_ASSERT(own.energy() <= machine.energy());
  RC_ASSERT(own.emissions <= machine.emissions);
}

/// The same program as seen by two trackers.
struct Pair {
  Tracker own;
  Tracker machine;

  void call(int which) {
    for (Tracker* tracker : {&own, &machine}) {
      switch (which) {
        case 0:
          tracker->start();
          break;
        case 1:
          tracker->pause();
          break;
        case 2:
          tracker->resume();
          break;
        case 3:
          tracker->flush();
          break;
        case 4:
          tracker->stop();
          break;
        default:
          tracker->start_task("t");
          break;
      }
    }
    assert_rows();
  }
  void assert_rows() const {
    const auto row = own.last_report();
    RC_ASSERT(row.has_value() == machine.last_report().has_value());
    if (row) assert_division(*row, *machine.last_report());
  }
  void close_task() {
    const auto task = own.stop_task("t");
    const auto of_machine = machine.stop_task("t");
    RC_ASSERT(task.has_value() == of_machine.has_value());
    if (task) assert_division(task->report, of_machine->report);
  }
};

TEST_F(ProcessModeTest, PartsAreTheMachineAtEveryRowAndTask) {
  EXPECT_TRUE(rc::check([this] {
    Options options = in_process_mode();
    options.pue = 1 + *rc::gen::inRange(0, 1000) / 777.0;
    Options of_machine;
    of_machine.pue = options.pue;
    Pair trackers{make(kNode, options), make(kNode, of_machine)};
    trackers.call(0);
    for (int step = *rc::gen::inRange(1, 25); step > 0; --step) {
      const int act = *rc::gen::inRange(0, 14);
      if (act < 6) {
        trackers.call(act);
      } else if (act == 6) {
        trackers.close_task();
      } else if (act == 7) {
        end_child();
      } else {
        const int ticks = *rc::gen::elementOf(std::vector{1, 7, 30, 200, 2100});
        work({*rc::gen::inRange(0, ticks + 1), *rc::gen::inRange(0, ticks + 1),
              *rc::gen::inRange(0, 2 * ticks + 1)},
             kTick * ticks);
      }
    }
    trackers.close_task();
    trackers.call(4);
  }));
}

TEST_F(ProcessModeTest, WhatIsUsedInAPauseIsNobodys) {
  Tracker tracker = make(kHundredWatts, in_process_mode());
  tracker.start();
  work({100, 50, 50}, seconds(1));
  tracker.pause();
  const ShareReport before = tracker.last_report()->share->cpu;
  EXPECT_GT(before.own, before.rest);
  work({300, 50, 0}, seconds(1));
  end_child();
  tracker.resume();
  work({0, 0, 200}, seconds(1));
  tracker.stop();
  const ShareReport after = tracker.last_report()->share->cpu;
  EXPECT_EQ(after.own, before.own);
  EXPECT_GT(after.rest, before.rest);
  EXPECT_EQ(after.machine(), Energy::from_joules(200));
}

TEST_F(ProcessModeTest, OnlyChildrenWorkedAndAllHaveEnded) {
  Tracker tracker = make(kHundredWatts, in_process_mode());
  tracker.start();
  for (const bool was_seen : {true, false, true, false}) {
    work({0, 40, 0}, seconds(1));
    if (was_seen) tracker.flush();
    work({0, 20, 0}, seconds(1));
    end_child();
  }
  tracker.stop();
  const ShareReport share = tracker.last_report()->share->cpu;
  EXPECT_EQ(share.machine(), Energy::from_joules(800));
  EXPECT_GT(share.own, Energy::from_joules(200));
  EXPECT_LE(share.rest, Energy::from_uj(10)) << "nobody else worked; rounding only";
}

TEST_F(ProcessModeTest, TasksThatFollowEachOtherSumToTheRun) {
  Tracker tracker = make(kNode, in_process_mode());
  tracker.start();
  std::int64_t sum_uj = 0;
  for (int task = 0; task < 20; ++task) {
    tracker.start_task("t");
    work({5 * task, 30, 100 - 5 * task}, seconds(1));
    sum_uj += tracker.stop_task("t")->report.energy().uj();
  }
  tracker.stop();
  EXPECT_NEAR(static_cast<double>(sum_uj),
              static_cast<double>(tracker.last_report()->energy().uj()), 2 * 3 * 20);
}

TEST_F(ProcessModeTest, AProgramThatRunsAnotherTellsItsShareBesideTheMachine) {
  Hooks both = hooks();
  both.tracks_children = true;
  Options options = in_process_mode();
  options.tracking_mode = TrackingMode::machine;
  options.save_to_file = false;
  options.country_iso_code = "FRA";
  options.machine = (folder / "machine.json").string();
  std::ofstream(*options.machine) << kHundredWatts;
  auto tracker = Tracker::create(options, both);
  ASSERT_TRUE(tracker) << tracker.error().message;
  tracker->start();
  work({200, 0, 100}, seconds(1));
  tracker->flush();
  EXPECT_EQ(tracker->last_report()->share->cpu.own, Energy{})
      << "its own work is not the program's";
  work({0, 300, 0}, seconds(1));
  tracker->stop();
  const Report report = *tracker->last_report();
  EXPECT_EQ(report.tracking_mode, "machine");
  EXPECT_EQ(report.cpu.energy, Energy::from_joules(200));
  EXPECT_EQ(report.share->cpu.machine(), report.cpu.energy);
  EXPECT_GT(report.share->cpu.own, Energy::from_joules(80));
}

TEST_F(ProcessModeTest, WithoutItsProcessesTheEnergyIsOthersAndTheBoundHasAllOfIt) {
  Tracker tracker = make(kHundredWatts, in_process_mode());
  tracker.start();
  work({100, 0, 0}, seconds(1));
  tracker.flush();
  const Report before = *tracker.last_report();
  proc_.copy.write("proc/stat", "garbage");
  pass(seconds(1));
  tracker.stop();
  const Report report = *tracker.last_report();
  EXPECT_EQ(report.cpu.energy, before.cpu.energy);
  EXPECT_EQ(report.share->cpu.unknown, Energy::from_joules(100));
  EXPECT_EQ(report.share->cpu.machine(), Energy::from_joules(200));
  EXPECT_GE(report.cpu.bound, Energy::from_joules(100));
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_NE(report.notes[0].find("unknown"), std::string::npos);
}

/// A container that may use 4 of a host's 128 processors and 100 GiB of its memory.
class ContainerTest : public TrackerTest {
 protected:
  ContainerTest() { proc_.be(kSelf); }

  Tracker make_in_container(TrackingMode mode) {
    Options options;
    options.tracking_mode = mode;
    options.host_root = proc_.copy.root().string();
    options.save_to_file = false;
    options.country_iso_code = "FRA";
    return Tracker::create(options, hooks()).value();
  }
  /// So much is used in a second, in ticks: by this program, by the whole container with it, and by
  /// the whole host with that.
  void second_of(std::int64_t own, std::int64_t container, std::int64_t host) {
    own_ += own;
    container_ += container;
    host_ += host;
    total_ += 128 * 100;
    proc_.write(kSelf, 1, own_, 0);
    proc_.write_machine(host_, total_);
    proc_.copy.write("sys/fs/cgroup/cpu.stat", fmt::format("usage_usec {}\n", 10'000 * container_));
    pass(seconds(1));
  }

  FakeProc proc_{testing_support::machine("container-big-host")};

 private:
  std::int64_t own_ = 0;
  std::int64_t container_ = 100;
  std::int64_t host_ = 2'000'000;
  std::int64_t total_ = 26'000'000;
};

TEST_F(ContainerTest, WhatIsModelledForItIsDividedAmongItsOwnProcesses) {
  for (const std::int64_t host : {300, 5000, 12'000}) {
    second_of(0, 0, host);
    Tracker own = make_in_container(TrackingMode::process);
    Tracker machine = make_in_container(TrackingMode::machine);
    own.start();
    machine.start();
    second_of(200, 300, host);  // 2 s and 3 s of the 4 that it may use
    own.stop();
    machine.stop();
    const Report report = *own.last_report();
    const ShareReport& cpu = report.share->cpu;
    EXPECT_EQ(cpu.machine(), machine.last_report()->cpu.energy);
    EXPECT_EQ(report.share->ram.machine(), machine.last_report()->ram.energy);

    const auto whole = static_cast<double>(cpu.machine().uj());
    const double idle = idle_part(0.75);
    EXPECT_NEAR(static_cast<double>(cpu.own.uj()) / whole, (1 - idle) * 2 / 3 + idle * 2 / 4, 1e-6);
    EXPECT_NEAR(static_cast<double>(cpu.idle.uj()) / whole, idle / 4, 1e-6);
  }
}

TEST_F(ContainerTest, ItsMemoryIsSharedByWhatItMayUse) {
  second_of(0, 0, 0);
  Tracker tracker = make_in_container(TrackingMode::process);
  tracker.start();
  second_of(0, 0, 0);
  tracker.stop();
  const ShareReport ram = tracker.last_report()->share->ram;
  const auto whole = static_cast<double>(ram.machine().uj());
  constexpr double kUsed = 24e9 / (100.0 * (1U << 30U));
  EXPECT_NEAR(static_cast<double>(ram.idle.uj()) / whole, 1 - kUsed, 1e-6);
}

TEST_F(ProcessModeTest, IsRefusedWhereProcessesCannotBeToldApart) {
  proc_.copy.remove("proc");
  Options options = in_process_mode();
  options.save_to_file = false;
  const auto tracker = Tracker::create(options, hooks());
  ASSERT_FALSE(tracker);
  EXPECT_EQ(tracker.error().option, "tracking_mode");
  EXPECT_NE(tracker.error().message.find("accepted here: machine"), std::string::npos);
}

}  // namespace
}  // namespace codecarbon
