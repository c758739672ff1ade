#include "sensors/craypm/craypm.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <string>

#include "host/machine_copy.hpp"
#include "readings/counter.hpp"
#include "readings/discovery_fixture.hpp"
#include "sensors/craypm/counter_text.hpp"

namespace codecarbon::craypm {
namespace {

using testing_support::count;
using testing_support::read;

using testing_support::machine;
using testing_support::MachineCopy;

constexpr const char* kTime = " J 1700000000000000 us\n";

std::string path(std::string_view file) {
  return "sys/cray/pm_counters/" + std::string(file);
}

const SensorInfo* find(const Discovery& found, DomainKind kind, int index = 0) {
  for (const auto& probe : found.probes) {
    const Domain& domain = probe->sensors()[0].domain;
    if (domain.kind == kind && domain.index == index) return probe->sensors().data();
  }
  return nullptr;
}

TEST(CounterText, JoulesWithAndWithoutTheirTime) {
  EXPECT_TRUE(rc::check([] {
    const auto joules = *rc::gen::inRange<std::int64_t>(0, 9'223'372'036'854);
    const std::string number = std::to_string(joules);
    RC_ASSERT(parse_joules(number + kTime) == joules * 1'000'000);
    RC_ASSERT(parse_joules(number + " J\n") == joules * 1'000'000);
  }));
}

TEST(CounterText, AnythingElseIsNoEnergy) {
  for (const char* text :
       {"", "\n", "J", "12", "12 W 17 us", "12 J 17", "12 J 17 s", "12 J x us", "-1 J 17 us",
        "1.5 J", "12J", "9223372036855 J 1 us", "99999999999999999999 J", "12 J 17 us 4"}) {
    EXPECT_FALSE(parse_joules(text)) << '"' << text << '"';
  }
}

TEST(CounterText, NamesSayWhoseEnergyItIs) {
  EXPECT_EQ(parse_counter_name("energy")->kind, DomainKind::node);
  EXPECT_EQ(parse_counter_name("cpu_energy")->kind, DomainKind::cpu);
  EXPECT_EQ(parse_counter_name("memory_energy")->kind, DomainKind::ram);
  EXPECT_EQ(parse_counter_name("cpu3_energy")->kind, DomainKind::package);
  EXPECT_EQ(parse_counter_name("cpu3_energy")->index, 3);
  EXPECT_EQ(parse_counter_name("accel12_energy")->kind, DomainKind::gpu);
  EXPECT_EQ(parse_counter_name("accel12_energy")->index, 12);
  for (const char* name : {"", "_energy", "accel_energy", "accel-1_energy", "accel0x_energy",
                           "accel99999999999_energy", "power", "accel0_power", "fan_energy"}) {
    EXPECT_FALSE(parse_counter_name(name)) << name;
  }
}

TEST(CrayPm, ANodeAndItsParts) {
  const MachineCopy cray(machine("cray-node"));
  const Discovery found = discover(cray.host(), {});
  EXPECT_EQ(found.probes.size(), 7U);
  EXPECT_EQ(count(found, Finding::Outcome::found), 7U);
  for (const auto kind : {DomainKind::node, DomainKind::cpu, DomainKind::ram}) {
    const SensorInfo* sensor = find(found, kind);
    ASSERT_NE(sensor, nullptr) << to_string(kind);
    EXPECT_EQ(sensor->method, Method::measured);
    EXPECT_EQ(sensor->resolution, Energy::from_uj(1'000'000));
    EXPECT_EQ(sensor->update_period, std::chrono::milliseconds(100));
  }
  for (const int card : {0, 1, 2, 3}) EXPECT_NE(find(found, DomainKind::gpu, card), nullptr);
}

/// A square wave of 100 ms, seen through counters that show whole joules ten times a second.
TEST(CrayPm, AMinuteOfScriptedLoadIsExactCounterByCounter) {
  const MachineCopy cray(machine("cray-node"));
  const Discovery found = discover(cray.host(), {});
  const std::map<std::string, std::int64_t> step = {
      {"energy", 61}, {"cpu_energy", 11}, {"memory_energy", 5}, {"accel2_energy", 9}};
  for (const auto& [name, joules] : step) {
    const auto domain = *parse_counter_name(name);
    const auto probe = std::find_if(found.probes.begin(), found.probes.end(), [&](const auto& one) {
      return one->sensors()[0].domain.same_place(domain);
    });
    Counter counter((*probe)->sensors()[0]);
    std::int64_t shown = 48'000'000;
    std::int64_t truth = 0;
    Energy counted;
    for (int tick = 0; tick <= 600; ++tick) {
      if (tick > 0 && tick % 2 == 0) truth += joules;
      cray.write(path(name), std::to_string(shown + truth) + kTime);
      const auto interval =
          counter.advance(read(**probe, MonoTime{} + tick * std::chrono::milliseconds(100)));
      if (interval) {
        EXPECT_FALSE(interval->gap) << name << " at " << tick;
        counted += interval->energy;
      }
    }
    EXPECT_EQ(counted, Energy::from_uj(truth * 1'000'000)) << name;
  }
}

TEST(CrayPm, AControllerThatRestartsIsAGapAndNeverNegative) {
  const MachineCopy cray(machine("cray-node"));
  const Discovery found = discover(cray.host(), {});
  const auto& probe = found.probes;
  const auto node = std::find_if(probe.begin(), probe.end(), [](const auto& one) {
    return one->sensors()[0].domain.kind == DomainKind::node;
  });
  Counter counter((*node)->sensors()[0]);
  counter.advance(read(**node));
  cray.write(path("energy"), std::string("12") + kTime);
  cray.write(path("generation"), 5);
  const auto interval = counter.advance(read(**node, MonoTime{} + std::chrono::seconds(1)));
  ASSERT_TRUE(interval && interval->gap);
  EXPECT_EQ(interval->energy, Energy{});
  EXPECT_EQ(interval->gap->cause, GapCause::reset);
}

TEST(CrayPm, ABadFileHurtsNoOther) {
  const std::string bad[] = {"", "\n", "garbage\n", "5 W 1 us\n", std::string(1'000'000, '7')};
  for (const std::string& name : {std::string("energy"), std::string("accel1_energy")}) {
    for (const std::string& text : bad) {
      const MachineCopy cray(machine("cray-node"));
      cray.write(path(name), text);
      const Discovery found = discover(cray.host(), {});
      EXPECT_EQ(count(found, Finding::Outcome::found), 6U);
      EXPECT_EQ(count(found, Finding::Outcome::unsupported), 1U);
      std::size_t good = 0;
      for (const auto& probe : found.probes) good += read(*probe).value.has_value() ? 1U : 0U;
      EXPECT_EQ(good, 6U);
    }
  }
}

TEST(CrayPm, AnAcceleratorThatCannotBeReadYetIsNoSilentHole) {
  const MachineCopy cray(machine("cray-node"));
  cray.write(path("accel1_energy"), "");
  const Discovery found = discover(cray.host(), {});
  EXPECT_NE(find(found, DomainKind::gpu, 1), nullptr);
  cray.write(path("energy"), "");
  EXPECT_EQ(find(discover(cray.host(), {}), DomainKind::node), nullptr) << "nothing stands beside";
}

TEST(CrayPm, OtherMachinesHaveNone) {
  const MachineCopy other;
  const Discovery found = discover(other.host(), {});
  EXPECT_TRUE(found.probes.empty());
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].outcome, Finding::Outcome::absent);
  other.write(path("freshness"), 1);
  EXPECT_EQ(count(discover(other.host(), {}), Finding::Outcome::unsupported), 1U);
}

}  // namespace
}  // namespace codecarbon::craypm
