#include <rapidcheck.h>

#include <atomic>
#include <functional>

#include "report/row.hpp"
#include "tracker/lifecycle.hpp"
#include "tracker/tracker_fixture.hpp"

namespace codecarbon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_F(TrackerTest, CountsWhatTheMachineUsedToTheMicrojoule) {
  auto tracker = make(kHundredWatts);
  pass(seconds(5));
  tracker.start();
  pass(milliseconds(3217));
  tracker.stop();
  ASSERT_EQ(sink->reports.size(), 1U);
  const Report& report = sink->reports[0];
  EXPECT_EQ(report.cpu.energy, Energy::from_uj(321'700'000));
  EXPECT_EQ(report.energy(), report.cpu.energy);
  EXPECT_EQ(report.duration, milliseconds(3217));
  EXPECT_EQ(report.cpu.power, Power::from_watts(100));
  EXPECT_EQ(report.cpu.method, Method::measured);
  EXPECT_EQ(report.gpu.method, Method::none);
  EXPECT_TRUE(report.notes.empty());
}

/// Every look at it takes a moment.
class CreepingClock final : public Clock {
 public:
  MonoTime now() const override { return MonoTime(std::chrono::microseconds(++looks_)); }
  WallTime wall_now() const override { return {}; }
  bool wait_until(MonoTime, Alarm& alarm) const override {
    return SystemClock().wait_until(MonoTime::max(), alarm);
  }

 private:
  mutable std::atomic<std::int64_t> looks_ = 0;
};

TEST_F(TrackerTest, AnEnergyIsThatOfExactlyTheDurationThatIsReported) {
  const auto file = folder / "machine.json";
  std::ofstream(file) << R"({"sockets": [{"package": {"power_w": 100}}],
      "gpus": [{"power_w": 300, "sensor": "power"}]})";
  Options options;
  options.save_to_file = false;
  options.country_iso_code = "FRA";
  options.machine = file.string();
  options.force_ram_power = 40;
  Hooks creeping = hooks();
  creeping.clock = std::make_shared<CreepingClock>();
  Tracker tracker = std::move(Tracker::create(options, creeping).value());
  tracker.start();
  for (int i = 0; i < 10; ++i) tracker.flush();
  tracker.stop();
  for (const Report& report : sink->reports) {
    EXPECT_EQ(report.cpu.energy, Power::from_watts(100) * report.duration);
    EXPECT_EQ(report.gpu.energy, Power::from_watts(300) * report.duration);
    EXPECT_EQ(report.ram.energy, Power::from_watts(40) * report.duration);
  }
}

TEST_F(TrackerTest, PausesBelongToNobodyAndTotalsAreCumulative) {
  auto tracker = make(kHundredWatts);
  tracker.start();
  pass(seconds(1));
  tracker.pause();
  pass(seconds(10));
  tracker.resume();
  pass(seconds(1));
  tracker.flush();
  tracker.pause();
  pass(seconds(10));
  tracker.resume();
  tracker.stop();
  pass(seconds(10));
  tracker.start();
  pass(seconds(1));
  tracker.stop();

  std::vector<std::int64_t> energies_j;
  for (const Report& report : sink->reports) {
    energies_j.push_back(report.energy().uj() / 1'000'000);
    EXPECT_EQ(report.run_id, tracker.run_id());
  }
  EXPECT_EQ(energies_j, (std::vector<std::int64_t>{100, 200, 200, 200, 300}));
  EXPECT_EQ(sink->reports.back().duration, seconds(3));
  EXPECT_TRUE(said.empty());
}

/// Brings a fresh tracker into each state with 100 J used (0 when idle).
void bring_to(State state, Tracker& tracker, const std::function<void()>& one_second) {
  if (state == State::idle) return;
  tracker.start();
  one_second();
  if (state == State::paused) tracker.pause();
  if (state == State::stopped) tracker.stop();
}

TEST_F(TrackerTest, EveryCallInEveryStateReturnsTheEmissionsSoFarOrNothingWhenIdle) {
  using Method = std::optional<Carbon> (Tracker::*)();
  struct Case {
    State state;
    Method call;
    bool gives;
    std::size_t rows;  // beyond those that led to the state
    bool says;
  };
  const std::vector<Case> cases = {
      {State::idle, &Tracker::start, true, 0, false},
      {State::idle, &Tracker::pause, false, 0, true},
      {State::idle, &Tracker::resume, false, 0, true},
      {State::idle, &Tracker::flush, false, 0, true},
      {State::idle, &Tracker::stop, false, 0, true},
      {State::running, &Tracker::start, true, 0, true},
      {State::running, &Tracker::pause, true, 1, false},
      {State::running, &Tracker::resume, true, 0, true},
      {State::running, &Tracker::flush, true, 1, false},
      {State::running, &Tracker::stop, true, 1, false},
      {State::paused, &Tracker::start, true, 0, false},
      {State::paused, &Tracker::pause, true, 0, true},
      {State::paused, &Tracker::resume, true, 0, false},
      {State::paused, &Tracker::flush, true, 1, false},
      {State::paused, &Tracker::stop, true, 1, false},
      {State::stopped, &Tracker::start, true, 0, false},
      {State::stopped, &Tracker::pause, true, 0, true},
      {State::stopped, &Tracker::resume, true, 0, false},
      {State::stopped, &Tracker::flush, true, 0, false},
      {State::stopped, &Tracker::stop, true, 0, false},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(i);
    auto tracker = make(kHundredWatts);
    bring_to(cases[i].state, tracker, [this] { pass(seconds(1)); });
    sink->reports.clear();
    said.clear();
    const auto emissions = (tracker.*cases[i].call)();
    EXPECT_EQ(emissions.has_value(), cases[i].gives);
    EXPECT_EQ(sink->reports.size(), cases[i].rows);
    EXPECT_EQ(said.size(), cases[i].says ? 1U : 0U);
    if (cases[i].state != State::idle) {
      EXPECT_NEAR(emissions->grams(), 100 / 3.6e6 * 44.18, 0.2 * 100 / 3.6e6 * 44.18);
    }
  }
}

TEST_F(TrackerTest, ASecondStopGivesTheSameNumberAndNoRow) {
  auto tracker = make(kHundredWatts);
  tracker.start();
  pass(seconds(2));
  const auto first = tracker.stop();
  pass(seconds(2));
  EXPECT_EQ(tracker.stop(), first);
  EXPECT_EQ(tracker.flush(), first);
  EXPECT_EQ(sink->reports.size(), 1U);
}

TEST_F(TrackerTest, ATrackerThatIsDestroyedWhileRunningWritesItsRow) {
  {
    auto tracker = make(kHundredWatts);
    tracker.start();
    pass(seconds(2));
  }
  ASSERT_EQ(sink->reports.size(), 1U);
  EXPECT_EQ(sink->reports[0].energy(), Energy::from_joules(200));
}

TEST_F(TrackerTest, NoTimeAtAllIsNoEnergyNoPowerAndNoNonsense) {
  auto tracker = make(kHundredWatts);
  tracker.start();
  const auto task = tracker.start_task("nothing");
  const auto closed = tracker.stop_task(task);
  tracker.stop();
  ASSERT_TRUE(closed);
  for (const Report& report : std::vector{closed->report, sink->reports.at(0)}) {
    EXPECT_EQ(report.duration, Duration{});
    EXPECT_EQ(report.energy(), Energy{});
    EXPECT_EQ(report.cpu.power, Power{});
    EXPECT_EQ(report.emissions.grams(), 0);
  }
}

TEST_F(TrackerTest, PueScalesEnergyAndPowerAlikeAndWaterFollows) {
  Options options;
  options.pue = 1.5;
  options.wue = 2;
  auto tracker = make(R"({"sockets": [{"package": {"power_w": 55}}]})", options);
  tracker.start();
  pass(seconds(10));
  tracker.stop();
  const Report& report = sink->reports.at(0);
  EXPECT_EQ(report.cpu.energy, Energy::from_joules(825));
  EXPECT_EQ(report.cpu.power, Power::from_watts(82.5));
  EXPECT_DOUBLE_EQ(report.water.litres(), report.energy().kwh() * 2);
}

TEST_F(TrackerTest, AMeterOfTheNodeIsAFigureOfItsOwnWithWhatItShowsBeyondTheParts) {
  Tracker tracker = make(R"({"sockets": [{"package": {"power_w": 100}, "dram": {"power_w": 10}}],
                             "gpus": [{"power_w": 200}], "node": {"power_w": 390.5}})");
  tracker.start();
  pass(std::chrono::seconds(10));
  tracker.stop();
  const Report& report = sink->reports.at(0);
  EXPECT_EQ(report.energy(), Energy::from_joules(3100));
  ASSERT_TRUE(report.node.has_value());
  EXPECT_EQ(report.node->meter.energy, Energy::from_joules(3905));
  EXPECT_EQ(report.node->meter.method, Method::measured);
  EXPECT_EQ(report.node->residual, Energy::from_joules(805));

  Tracker without = make(kHundredWatts);
  without.start();
  without.stop();
  EXPECT_FALSE(sink->reports.at(1).node.has_value());
}

TEST_F(TrackerTest, TasksWorkInEveryState) {
  for (const State state : {State::idle, State::running, State::paused, State::stopped}) {
    SCOPED_TRACE(static_cast<int>(state));
    auto tracker = make(kHundredWatts);
    bring_to(state, tracker, [this] { pass(seconds(1)); });
    tracker.start_task("work");
    pass(seconds(3));
    const auto closed = tracker.stop_task("work");
    ASSERT_TRUE(closed);
    EXPECT_EQ(closed->report.energy(), Energy::from_joules(300));
    EXPECT_EQ(closed->report.duration, seconds(3));
    const Energy run = tracker.report().energy();
    EXPECT_EQ(run, Energy::from_joules(state == State::idle      ? 300
                                       : state == State::running ? 400
                                                                 : 100));
  }
}

TEST_F(TrackerTest, TasksNestOverlapAndRepeatANameAndEachKeepsItsOwn) {
  auto tracker = make(kHundredWatts);
  tracker.start();
  {
    Task outer(tracker, "epoch");
    pass(seconds(1));
    {
      Task inner(tracker, "epoch");
      pass(seconds(1));
      tracker.flush();
      pass(seconds(1));
      EXPECT_EQ(inner.close()->report.energy(), Energy::from_joules(200));
      EXPECT_FALSE(inner.close());
    }
    pass(seconds(1));
    EXPECT_EQ(outer.close()->report.energy(), Energy::from_joules(400));
  }
  const auto left = tracker.start_task("left");
  pass(seconds(1));
  const auto right = tracker.start_task("right");
  pass(seconds(1));
  EXPECT_EQ(tracker.stop_task(left)->report.energy(), Energy::from_joules(200));
  pass(seconds(1));
  EXPECT_EQ(tracker.stop_task(right)->report.energy(), Energy::from_joules(200));
  EXPECT_FALSE(tracker.stop_task("right"));
  EXPECT_FALSE(tracker.stop_task("wrong"));
  EXPECT_EQ(said.size(), 2U);
  tracker.stop();
  EXPECT_EQ(sink->reports.back().energy(), Energy::from_joules(700));
  ASSERT_EQ(sink->tasks.size(), 4U);
  EXPECT_EQ(sink->tasks[0].task_name, "epoch#2");
  EXPECT_EQ(sink->tasks[1].task_name, "epoch");
}

TEST_F(TrackerTest, AClosedTaskIsReportedAsItWasAtItsEnd) {
  auto tracker = make(R"({"sockets": [{"package": {"power_w": 100,
      "faults": [{"kind": "empty", "from_s": 1}]}}], "ram": {"total_gib": 8, "used_gib": 2}})");
  tracker.start_task("first");
  pass(seconds(2));
  const TaskReport closed = tracker.stop_task("first").value();
  tracker.set_project_name("renamed");
  tracker.set_run_id("another");
  pass(seconds(5));
  tracker.stop_task(tracker.start_task("second"));
  tracker.start();
  tracker.stop();
  ASSERT_EQ(sink->tasks.size(), 2U);
  for (const TaskReport& later : {tracker.tasks()[0], sink->tasks[0]}) {
    EXPECT_EQ(to_json(later), to_json(closed));
  }
  EXPECT_FALSE(closed.report.notes.empty());
  EXPECT_EQ(sink->tasks[1].report.run_id, "another");
}

TEST_F(TrackerTest, StopClosesTasksThatAreStillOpen) {
  auto tracker = make(kHundredWatts);
  tracker.start();
  tracker.start_task("open");
  pass(seconds(2));
  tracker.stop();
  ASSERT_EQ(sink->tasks.size(), 1U);
  EXPECT_EQ(sink->tasks[0].report.energy(), Energy::from_joules(200));
}

TEST_F(TrackerTest, ARunOfTasksAloneIsTheTimeInWhichOneIsOpenEachJouleOnce) {
  auto tracker = make(kHundredWatts);
  tracker.start_task("outer");
  pass(seconds(1));
  tracker.start_task("inner");
  pass(seconds(1));
  tracker.stop_task("inner");
  tracker.stop_task("outer");
  pass(seconds(10));
  EXPECT_EQ(tracker.report().energy(), Energy::from_joules(200));
  const auto flushed = tracker.flush();
  EXPECT_EQ(flushed, tracker.last_report()->emissions);
  tracker.start_task("open");
  pass(seconds(3));
  const auto emissions = tracker.stop();
  EXPECT_EQ(sink->tasks.size(), 3U);
  ASSERT_EQ(sink->reports.size(), 2U);
  EXPECT_EQ(sink->reports[0].energy(), Energy::from_joules(200));
  EXPECT_EQ(sink->reports[1].energy(), Energy::from_joules(500));
  EXPECT_EQ(sink->reports[1].duration, seconds(5));
  EXPECT_EQ(emissions, sink->reports[1].emissions);
  EXPECT_EQ(tracker.stop(), emissions) << "a second stop says the same";
  EXPECT_EQ(sink->reports.size(), 2U) << "and writes nothing";
  EXPECT_TRUE(said.empty());
}

TEST_F(TrackerTest, AStartAfterTasksCountsThemOnlyIfARowDidSo) {
  for (const bool row : {false, true}) {
    sink->reports.clear();
    auto tracker = make(kHundredWatts);
    tracker.start_task("before");
    pass(seconds(2));
    tracker.stop_task("before");
    tracker.start_task("across");
    pass(seconds(1));
    if (row) tracker.flush();
    tracker.start();
    pass(seconds(1));
    tracker.stop_task("across");
    pass(seconds(1));
    tracker.stop();
    EXPECT_EQ(sink->reports.back().energy(), Energy::from_joules(row ? 500 : 200));
  }
}

TEST_F(TrackerTest, AStopWithoutAnythingIsAnError) {
  auto tracker = make(kHundredWatts);
  EXPECT_FALSE(tracker.stop());
  EXPECT_EQ(said.size(), 1U);
}

TEST_F(TrackerTest, TasksOfATrackerThatWasNeverStartedAreWrittenWhenItGoes) {
  {
    auto tracker = make(kHundredWatts);
    tracker.start_task("alone");
    pass(seconds(1));
    tracker.stop_task("alone");
  }
  EXPECT_EQ(sink->tasks.size(), 1U);
  EXPECT_EQ(sink->reports.size(), 1U);
}

TEST_F(TrackerTest, ARandomLifeNeverCountsAJouleTwiceNorBackwards) {
  EXPECT_TRUE(rc::check([this] {
    sink->reports.clear();
    auto tracker = make(kHundredWatts);
    Duration active{};
    for (const int action : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 6))) {
      switch (action) {
        case 0:
          tracker.start();
          break;
        case 1:
          tracker.pause();
          break;
        case 2:
          tracker.resume();
          break;
        case 3:
          tracker.flush();
          break;
        case 4:
          tracker.stop();
          break;
        default:
          break;
      }
      const Duration before_pass = tracker.report().duration;
      pass(milliseconds(137));
      const Duration gained = tracker.report().duration - before_pass;
      RC_ASSERT(gained == Duration{} || gained == milliseconds(137));
      active += gained;
    }
    const Report last = tracker.report();
    RC_ASSERT(last.duration == active);
    RC_ASSERT(last.energy() == Power::from_watts(100) * active);
    Energy previous;
    for (const Report& report : sink->reports) {
      RC_ASSERT(report.energy() >= previous);
      previous = report.energy();
    }
  }));
}

TEST_F(TrackerTest, AWrongOptionIsRefusedWithItsNameAndWhatIsAccepted) {
  Options options;
  options.measure_power_secs = -1;
  options.save_to_file = false;
  const auto tracker = Tracker::create(options, hooks());
  ASSERT_FALSE(tracker);
  EXPECT_NE(tracker.error().message.find("measure_power_secs"), std::string::npos);
  EXPECT_EQ(tracker.error().message.find('\n'), std::string::npos);
}

TEST_F(TrackerTest, AnUnknownCountryIsRefusedAndTheMessageSaysWhereItCameFrom) {
  Options options;
  options.save_to_file = false;
  options.country_iso_code = "XXX";
  Hooks from_flags = hooks();
  from_flags.options_origin = "the command line";
  const auto tracker = Tracker::create(options, from_flags);
  ASSERT_FALSE(tracker);
  for (const char* part : {"country_iso_code", "XXX", "the command line"}) {
    EXPECT_NE(tracker.error().message.find(part), std::string::npos) << tracker.error().message;
  }
}

TEST_F(TrackerTest, AMissingOutputFolderOrMachineFileIsRefused) {
  Options options;
  options.save_to_file = true;
  options.output_dir = (folder / "missing").string();
  auto tracker = Tracker::create(options, hooks());
  ASSERT_FALSE(tracker);
  EXPECT_EQ(tracker.error().kind, ErrorKind::missing_file);
  EXPECT_NE(tracker.error().message.find("output_dir"), std::string::npos);

  options = {};
  options.save_to_file = false;
  options.machine = (folder / "missing.json").string();
  tracker = Tracker::create(options, hooks());
  ASSERT_FALSE(tracker);
  EXPECT_NE(tracker.error().message.find("machine"), std::string::npos);
}

TEST_F(TrackerTest, AnUnknownPlaceIsWorldAverageAndSaidOnce) {
  Options options;
  options.country_iso_code = "";
  auto tracker = make(kHundredWatts, options);
  EXPECT_EQ(said.size(), 1U);
  tracker.start();
  pass(seconds(1));
  tracker.flush();
  tracker.stop();
  EXPECT_EQ(said.size(), 1U);
  EXPECT_EQ(sink->reports.back().intensity.method, "world average");
  EXPECT_TRUE(sink->reports.back().place.country_iso_code.empty());
}

/// Wants the totals every second sample.
class LiveSink final : public Sink {
 public:
  std::string_view name() const override { return "live"; }
  int live_every() const override { return 2; }
  Status write_live(const Report& report) override {
    live.push_back(report.duration);
    return {};
  }
  Status write(const Report&) override { return {}; }
  Status write_tasks(std::span<const TaskReport>) override { return {}; }

  std::vector<Duration> live;
};

TEST_F(TrackerTest, LiveReportsComeEveryFewSamplesWhileRunningOnly) {
  const auto live = std::make_shared<LiveSink>();
  {
    Options options;
    options.measure_power_secs = 1;
    options.save_to_file = false;
    options.country_iso_code = "FRA";
    const auto file = folder / "machine.json";
    std::ofstream(file) << kHundredWatts;
    options.machine = file.string();
    Hooks with_live = hooks();
    with_live.sinks = {sink, live};
    auto tracker = std::move(Tracker::create(options, with_live).value());
    tracker.start();
    clock->await_waiters(2);
    for (int flush = 0; flush < 5; ++flush) {
      pass(seconds(1));
      tracker.flush();  // rows do not put the live reports off
    }
    tracker.pause();
    pass(seconds(10));
  }
  EXPECT_EQ(live->live, (std::vector<Duration>{seconds(2), seconds(4)}));
}

TEST_F(TrackerTest, ARunCanGoOnUnderAnotherNameAndId) {
  auto tracker = make(kHundredWatts);
  tracker.start();
  tracker.flush();
  tracker.set_run_id("resumed");
  tracker.set_project_name("other");
  tracker.stop();
  EXPECT_NE(sink->reports[0].run_id, "resumed");
  EXPECT_EQ(sink->reports[1].run_id, "resumed");
  EXPECT_EQ(sink->reports[1].project_name, "other");
}

TEST_F(TrackerTest, TheLogHookMayAskTheTrackerWhateverItIsToldOf) {
  std::optional<Tracker> tracker;
  int told = 0;
  Options options;
  options.save_to_file = false;
  options.country_iso_code = "FRA";
  const auto file = folder / "machine.json";
  std::ofstream(file) << R"({"sockets": [{"package": {"power_w": 100,
      "faults": [{"kind": "empty", "from_s": 1}]}}]})";
  options.machine = file.string();
  Hooks asking;
  asking.clock = clock;
  asking.log = [&](LogLevel, std::string_view) {
    if (!tracker) return;
    ++told;
    (void)tracker->run_id();
    (void)tracker->report();
  };
  tracker.emplace(std::move(Tracker::create(options, asking).value()));
  tracker->start();
  pass(seconds(2));
  tracker->flush();
  tracker->stop_task("none");
  tracker->stop();
  EXPECT_EQ(told, 2);
}

TEST_F(TrackerTest, ATaskIsNotBlamedForAGapBeforeIt) {
  auto tracker = make(R"({"sockets": [{"package": {"power_w": 100,
      "faults": [{"kind": "unreadable", "from_s": 1}]}}]})");
  tracker.start();
  pass(seconds(100));
  tracker.start_task("late");
  pass(seconds(1));
  EXPECT_EQ(tracker.stop_task("late")->report.cpu.gap, seconds(1));
}

}  // namespace
}  // namespace codecarbon
