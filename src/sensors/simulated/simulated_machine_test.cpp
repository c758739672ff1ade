#include "sensors/simulated/simulated_machine.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <fstream>

#include "readings/counter.hpp"
#include "readings/power_integrator.hpp"
#include "sensors/simulated/simulated.hpp"

namespace codecarbon::simulated {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::string shipped(const std::string& name) {
  return CODECARBON_SOURCE_DIR "/tests/simulated_machines/" + name + ".json";
}

SimulatedMachine load(const std::string& name) {
  return *SimulatedMachine::load(shipped(name));
}

std::vector<Reading> read(Probe& probe, const Clock& clock) {
  std::vector<Reading> readings(probe.sensors().size());
  probe.read(clock.now(), readings);
  return readings;
}

/// The probe that has a sensor of this domain.
Probe& probe_of(const Discovery& discovery, DomainKind kind, int index) {
  for (const auto& probe : discovery.probes) {
    for (const SensorInfo& sensor : probe->sensors()) {
      if (sensor.domain.kind == kind && sensor.domain.index == index) return *probe;
    }
  }
  throw std::runtime_error("no such domain");
}

class SimulatedMachineTest : public testing::Test {
 protected:
  Result<Discovery> try_file(const std::string& file) {
    SensorSettings settings;
    settings.machine_file = file;
    return discover(Host("/", Environment{}, clock_), settings);
  }
  Discovery discover_file(const std::string& file) { return std::move(try_file(file).value()); }
  /// A machine that is not at its clock's beginning.
  SimulatedMachineTest() { clock_->advance(seconds(1'000)); }

  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>();
};

TEST_F(SimulatedMachineTest, WithoutAMachineFileThereIsNothing) {
  const Discovery discovery = discover_file("");
  EXPECT_TRUE(discovery.probes.empty());
  EXPECT_TRUE(discovery.findings.empty());
}

TEST_F(SimulatedMachineTest, AFileThatCannotBeUsedIsAnError) {
  const auto missing = try_file("no/such/file.json");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::missing_file);
  EXPECT_NE(missing.error().message.find("no/such/file.json"), std::string::npos);
}

TEST_F(SimulatedMachineTest, AMachineThatIsPlayedSaysWhatItIs) {
  EXPECT_FALSE(discover_file("").played);
  const auto played = discover_file(shipped("node-2s8g")).played;
  ASSERT_TRUE(played);
  EXPECT_EQ(played->cpu_count, load("node-2s8g").machine().cpu.count);
  EXPECT_EQ(played->cpu_model, load("node-2s8g").machine().cpu.model);
  EXPECT_EQ(played->ram_bytes, load("node-2s8g").machine().ram->total);
}

TEST_F(SimulatedMachineTest, OneProbeASocketOneAGpuAndOneForTheRest) {
  const Discovery discovery = discover_file(shipped("node-2s8g"));
  ASSERT_EQ(discovery.probes.size(), 2U + 8U + 1U);
  std::size_t sensors = 0;
  for (const auto& probe : discovery.probes) {
    sensors += probe->sensors().size();
    for (const SensorInfo& sensor : probe->sensors()) {
      EXPECT_FALSE(sensor.domain.name.empty());
      EXPECT_NE(sensor.source.find("node-2s8g.json"), std::string::npos);
      EXPECT_EQ(sensor.method, Method::measured);
    }
  }
  EXPECT_EQ(discovery.findings.size(), sensors);
}

TEST_F(SimulatedMachineTest, TimeBeginsAtDiscovery) {
  const Discovery discovery = discover_file(shipped("node-2s8g"));
  const auto at_start = read(*discovery.probes[0], *clock_);
  EXPECT_EQ(at_start[0].at, clock_->now());
  EXPECT_EQ(at_start[0].value.value(),
            load("node-2s8g").machine().sockets[0].domains[0].start.uj());
}

/// Sums every energy counter of every probe by its wraps alone, in uneven steps.
class Tally {
 public:
  Tally(const Discovery& discovery, const Clock& clock) : discovery_(discovery), clock_(clock) {
    take();
  }

  void take() {
    std::size_t next = 0;
    for (const auto& probe : discovery_.probes) {
      const auto readings = read(*probe, clock_);
      for (std::size_t i = 0; i < readings.size(); ++i, ++next) {
        if (totals_.size() <= next) totals_.push_back(Total{&probe->sensors()[i], {}, {}});
        note(totals_[next], readings[i]);
      }
    }
  }

  struct Total {
    const SensorInfo* sensor;
    std::optional<std::int64_t> last;
    std::int64_t energy_uj;
  };
  const std::vector<Total>& totals() const { return totals_; }

 private:
  static void note(Total& total, const Reading& reading) {
    if (total.sensor->quantity != Quantity::energy) return;
    const std::int64_t now = reading.value.value();
    if (total.last) {
      const std::int64_t step = now - *total.last;
      total.energy_uj += step >= 0 ? step : step + total.sensor->range->uj();
    }
    total.last = now;
  }

  const Discovery& discovery_;
  const Clock& clock_;
  std::vector<Total> totals_;
};

class WholeMachine : public SimulatedMachineTest,
                     public testing::WithParamInterface<const char*> {};

TEST_P(WholeMachine, CountersGiveTheTruthToTheMicrojoule) {
  const SimulatedMachine machine = load(GetParam());
  EXPECT_TRUE(rc::check([&] {
    const Discovery discovery = discover_file(shipped(GetParam()));
    const Duration from = milliseconds(*rc::gen::inRange(0, 5'000));
    clock_->advance(from);
    Tally tally(discovery, *clock_);
    Duration to = from;
    for (int i = 0; i < 40; ++i) {
      const Duration step(*rc::gen::inRange<std::int64_t>(0, 20'000'000));
      clock_->advance(step);
      to += step;
      tally.take();
    }
    Energy roots;
    for (const auto& total : tally.totals()) {
      if (total.sensor->quantity != Quantity::energy) continue;
      const Domain& domain = total.sensor->domain;
      RC_ASSERT(Energy::from_uj(total.energy_uj) == machine.true_energy(domain, from, to).value());
      const bool root = domain.kind == DomainKind::package || domain.kind == DomainKind::dram ||
                        domain.kind == DomainKind::gpu;
      if (root) roots += Energy::from_uj(total.energy_uj);
    }
    RC_ASSERT(roots == machine.true_total(from, to));
    RC_ASSERT(machine.true_total(from, to) == machine.true_total(from, from + (to - from) / 3) +
                                                  machine.true_total(from + (to - from) / 3, to));
  }));
}

INSTANTIATE_TEST_SUITE_P(Exact, WholeMachine, testing::Values("node-2s8g", "fast-wrap"));

TEST(SimulatedMachine, ADomainThatIsNotThereHasNoEnergyRatherThanNone) {
  const auto machine = load("one-socket");
  EXPECT_EQ(machine.true_energy({DomainKind::gpu, 7, 0, {}}, seconds(0), seconds(1)), std::nullopt);
  EXPECT_EQ(machine.true_component(Component::gpu, seconds(0), seconds(1)), Energy{});
}

TEST(SimulatedMachine, PartsAndPsysAreNotInTheTotal) {
  const auto machine = SimulatedMachine::parse(
      R"({"psys": {"power_w": 100},
          "sockets": [{"package": {"power_w": 50}, "core": {"power_w": 30},
                       "uncore": {"power_w": 5}, "dram": {"power_w": 4}}],
          "gpus": [{"power_w": 200}]})",
      "test");
  ASSERT_TRUE(machine.has_value());
  EXPECT_EQ(machine->true_total(seconds(1), seconds(3)), Energy::from_joules(508));
  EXPECT_EQ(machine->true_energy({DomainKind::core, 0, 0, {}}, seconds(1), seconds(3)),
            Energy::from_joules(60));
  EXPECT_EQ(machine->true_energy({DomainKind::psys, 0, 0, {}}, seconds(1), seconds(3)),
            Energy::from_joules(200));
}

TEST_F(SimulatedMachineTest, OneDeviceThatIsGoneLeavesTheOthersTheirNumbers) {
  const std::string file = testing::TempDir() + "codecarbon-lost-gpu.json";
  std::ofstream(file) << R"({"gpus": [{"power_w": 10, "utilization_percent": 5,
                             "faults": [{"kind": "disappear", "from_s": 1}]}, {"power_w": 20}]})";
  const Discovery discovery = discover_file(file);
  clock_->advance(seconds(2));
  for (const Reading& reading : read(probe_of(discovery, DomainKind::gpu, 0), *clock_)) {
    EXPECT_EQ(reading.value, tl::unexpected(ReadFault::gone));
  }
  EXPECT_EQ(read(probe_of(discovery, DomainKind::gpu, 1), *clock_)[0].value.value(), 40'000'000);
}

/// What the engine's own arithmetic makes of a counter, read every 100 ms for `length`.
struct Outcome {
  Energy energy;
  Energy gap_bound;
};

Outcome measure(Probe& probe, ManualClock& clock, Duration length) {
  Counter counter(probe.sensors()[0]);
  Outcome outcome;
  for (Duration t{};; t += milliseconds(100)) {
    Reading reading = read(probe, clock)[0];
    if (counter.suspicious(reading)) reading = read(probe, clock)[0];
    if (const auto interval = counter.advance(reading)) {
      outcome.energy += interval->energy;
      if (interval->gap) outcome.gap_bound += interval->gap->bound;
    }
    if (t >= length) break;
    clock.advance(milliseconds(100));
  }
  if (const auto gap = counter.unresolved(clock.now())) outcome.gap_bound += gap->bound;
  return outcome;
}

TEST_F(SimulatedMachineTest, EveryFaultIsCountedExactlyOrBounded) {
  const auto machine = load("node-2s8g-faults");
  constexpr Duration kLength = seconds(20);
  for (const DomainKind kind : {DomainKind::package, DomainKind::gpu}) {
    for (int index = 0; machine.true_energy({kind, index, 0, {}}, {}, kLength); ++index) {
      const Discovery discovery = discover_file(shipped("node-2s8g-faults"));
      Probe& probe = probe_of(discovery, kind, index);
      if (probe.sensors()[0].quantity != Quantity::energy) continue;
      const Outcome outcome = measure(probe, *clock_, kLength);
      const Energy truth = *machine.true_energy({kind, index, 0, {}}, {}, kLength);
      EXPECT_LE(outcome.energy, truth) << to_string(kind) << index;
      EXPECT_LE(truth, outcome.energy + outcome.gap_bound) << to_string(kind) << index;
    }
  }
}

}  // namespace
}  // namespace codecarbon::simulated
