// A node with every kind of fault: exact where no gap is said, within the bound where one is.

#include <fmt/format.h>

#include "tracker/tracker_fixture.hpp"

namespace codecarbon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Runs for `time` in steps that let the sampler keep its beat.
class FaultsTest : public TrackerTest {
 protected:
  Report measure(const std::string& machine_json, Duration time,
                 std::optional<double> period_s = {}) {
    Options options;
    options.measure_power_secs = period_s.value_or(1.0);
    auto tracker = make(machine_json, options);
    truth = simulated::SimulatedMachine::parse(machine_json, "test").value();
    tracker.start();
    clock->await_waiters(1);
    pass(time);
    tracker.stop();
    return sink->reports.back();
  }

  static std::string package(const std::string& members) {
    return R"({"sockets": [{"package": {"power_w": 100, "start_j": 124530, )" + members + "}}]}";
  }

  Energy true_total(Duration time) const { return truth->true_total({}, time); }

  std::optional<simulated::SimulatedMachine> truth;
};

TEST_F(FaultsTest, OneWrap) {
  const Report report = measure(package(R"("range_j": 124700)"), seconds(5));
  EXPECT_EQ(report.cpu.energy, true_total(seconds(5)));
  EXPECT_EQ(report.cpu.gap, Duration{});
}

TEST_F(FaultsTest, ManyWrapsBetweenTwoBeatsOfTheUser) {
  const Report report = measure(
      R"({"sockets": [{"package": {"power_w": {"square": {"low_w": 20, "high_w": 180, "period_ms": 70}}, "range_j": 50, "start_j": 1.234567}}]})",
      seconds(30), 15.0);
  EXPECT_EQ(report.cpu.energy, true_total(seconds(30)));
  EXPECT_EQ(report.cpu.gap, Duration{});
}

TEST_F(FaultsTest, FaultsThatEndBeforeTheRunLoseNothingAndLeaveNoGap) {
  for (const char* kind : {"empty", "garbage", "unreadable", "zero", "disappear"}) {
    SCOPED_TRACE(kind);
    const Report report = measure(
        package(fmt::format(
            R"("range_j": 262143, "faults": [{{"kind": "{}", "from_s": 1.5, "to_s": 3.2}}])",
            kind)),
        seconds(5));
    EXPECT_EQ(report.cpu.energy, true_total(seconds(5)));
    EXPECT_EQ(report.cpu.gap, Duration{});
  }
}

TEST_F(FaultsTest, AFrozenCounterThatCatchesUpLosesNothingAndLeavesNoGap) {
  const Report report = measure(
      package(R"("range_j": 262143, "faults": [{"kind": "freeze", "from_s": 3, "to_s": 6}])"),
      seconds(10));
  EXPECT_EQ(report.cpu.energy, true_total(seconds(10)));
  EXPECT_EQ(report.cpu.gap, Duration{});
}

TEST_F(FaultsTest, WhatIsLostIsWithinTheBound) {
  for (const char* fault :
       {R"({"kind": "reset", "at_s": 2.5})", R"({"kind": "stuck", "from_s": 2, "to_s": 7})",
        R"({"kind": "disappear", "from_s": 4})", R"({"kind": "empty", "from_s": 0, "to_s": 3})",
        R"({"kind": "freeze", "from_s": 8})"}) {
    SCOPED_TRACE(fault);
    const Report report =
        measure(package(fmt::format(R"("range_j": 262143, "faults": [{}])", fault)), seconds(10));
    const Energy error = true_total(seconds(10)) - report.cpu.energy;
    EXPECT_GT(error, Energy{}) << "this fault should lose something";
    EXPECT_LE(error, report.cpu.bound);
    EXPECT_GT(report.cpu.gap, Duration{});
    EXPECT_LE(said.size(), 1U) << "said once, however long it lasts";
    said.clear();
  }
}

TEST_F(FaultsTest, ADeviceThatFailsLeavesTheOthersExact) {
  const Report report = measure(R"({
    "sockets": [{"package": {"power_w": 80}, "dram": {"power_w": 12}}],
    "gpus": [{"name": "A", "power_w": 300},
             {"name": "B", "power_w": 300, "faults": [{"kind": "disappear", "from_s": 0}]},
             {"name": "C", "power_w": 26, "sensor": "power"}]})",
                                seconds(10));
  EXPECT_EQ(report.cpu.energy, Energy::from_joules(800));
  EXPECT_EQ(report.ram.energy, Energy::from_joules(120));
  EXPECT_EQ(report.gpu.energy, Energy::from_joules(3260));
  EXPECT_LE(true_total(seconds(10)) - report.energy(), report.bound());
}

TEST_F(FaultsTest, PartsOfTheTreeAreNotAddedToIt) {
  const Report report = measure(R"({
    "psys": {"power_w": 250},
    "sockets": [{"package": {"power_w": 150}, "core": {"power_w": 90}, "uncore": {"power_w": 20}}]})",
                                seconds(10));
  EXPECT_EQ(report.energy(), Energy::from_joules(1500));
}

struct MachineFile {
  const char* name;
  bool exact;  // its counters show every microjoule
};
void PrintTo(const MachineFile& file, std::ostream* out) {
  *out << file.name;
}

class WholeNode : public FaultsTest, public testing::WithParamInterface<MachineFile> {};

TEST_P(WholeNode, TotalIsTheTruthOrWithinTheBound) {
  const std::string path =
      std::string(CODECARBON_SOURCE_DIR "/tests/simulated_machines/") + GetParam().name;
  std::ifstream file(path);
  ASSERT_TRUE(file) << path;
  const std::string json((std::istreambuf_iterator<char>(file)), {});
  const Report report = measure(json, seconds(60));
  const auto check = [&](Component component, const ComponentReport& figure) {
    const Energy error = truth->true_component(component, {}, seconds(60)) - figure.energy;
    EXPECT_LE(std::abs(error.uj()), figure.bound.uj()) << to_string(component);
    if (GetParam().exact && figure.gap == Duration{}) {
      EXPECT_EQ(error, Energy{}) << to_string(component);
    }
  };
  check(Component::cpu, report.cpu);
  check(Component::gpu, report.gpu);
  check(Component::ram, report.ram);
}

INSTANTIATE_TEST_SUITE_P(Machines, WholeNode,
                         testing::Values(MachineFile{"node-2s8g.json", true},
                                         MachineFile{"node-2s8g-faults.json", true},
                                         MachineFile{"laptop.json", false},
                                         MachineFile{"one-socket.json", true},
                                         MachineFile{"fast-wrap.json", true}));

}  // namespace
}  // namespace codecarbon
