#include "sensors/rapl/rapl.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/machine_copy.hpp"

namespace codecarbon::rapl {
namespace {

using testing_support::machine;
using testing_support::MachineCopy;

std::string energy(std::string_view zone) {
  return "sys/class/powercap/" + std::string(zone) + "/energy_uj";
}

/// One discovered machine and what its sensors say.
class Seen {
 public:
  explicit Seen(const MachineCopy& copy) : found(discover(copy.host(clock), {})) {}

  std::vector<SensorInfo> sensors() const {
    std::vector<SensorInfo> all;
    for (const auto& probe : found.probes) {
      all.insert(all.end(), probe->sensors().begin(), probe->sensors().end());
    }
    return all;
  }
  const SensorInfo& sensor(std::string_view name) const { return probe(name).sensors()[0]; }
  Reading read(std::string_view name) {
    Reading reading;
    probe(name).read(clock->now(), {&reading, 1});
    return reading;
  }
  std::int64_t value(std::string_view name) { return read(name).value.value_or(-1); }
  std::size_t count(Finding::Outcome outcome) const {
    return static_cast<std::size_t>(
        std::count_if(found.findings.begin(), found.findings.end(),
                      [&](const Finding& finding) { return finding.outcome == outcome; }));
  }

  std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>();
  Discovery found;

 private:
  Probe& probe(std::string_view name) const {
    for (const auto& probe : found.probes) {
      if (probe->sensors()[0].domain.name == name) return *probe;
    }
    throw std::out_of_range("no sensor " + std::string(name));
  }
};

bool at(const SensorInfo& info, DomainKind kind, int index, int die) {
  return info.domain.same_place({kind, index, die, {}});
}

TEST(Rapl, TwoSocketsWithMemoryAreFourPlaces) {
  const MachineCopy xeon(machine("xeon-2s-dram"));
  Seen seen(xeon);
  ASSERT_EQ(seen.sensors().size(), 4U);
  EXPECT_TRUE(at(seen.sensor("package-0"), DomainKind::package, 0, 0));
  EXPECT_TRUE(at(seen.sensor("package-1"), DomainKind::package, 1, 0));
  EXPECT_TRUE(at(seen.sensor("package-0/dram"), DomainKind::dram, 0, 0));
  EXPECT_TRUE(at(seen.sensor("package-1/dram"), DomainKind::dram, 1, 0));
  EXPECT_EQ(seen.sensor("package-0").range, Energy::from_uj(262143328850));
  EXPECT_EQ(seen.sensor("package-1/dram").range, Energy::from_uj(65712999613));
  EXPECT_EQ(seen.sensor("package-0").method, Method::measured);
  EXPECT_EQ(seen.value("package-1"), 127000000000);
  EXPECT_EQ(seen.value("package-1/dram"), 31900000000);
  EXPECT_EQ(seen.count(Finding::Outcome::found), 4U);
}

TEST(Rapl, TheSocketIsInTheNameNotInTheNumberOfTheFolder) {
  const MachineCopy xeon(machine("xeon-2s-dram"));
  xeon.write("sys/class/powercap/intel-rapl:0/name", "package-1\n");
  xeon.write("sys/class/powercap/intel-rapl:1/name", "package-0\n");
  Seen seen(xeon);
  EXPECT_EQ(seen.value("package-0"), 127000000000);
  EXPECT_TRUE(at(seen.sensor("package-1/dram"), DomainKind::dram, 1, 0));
  EXPECT_EQ(seen.value("package-1/dram"), 31000000000);
}

TEST(Rapl, TwoSocketsWithEqualCountersStayTwo) {
  const MachineCopy xeon(machine("xeon-2s-dram"));
  xeon.write(energy("intel-rapl:0"), 5000000);
  xeon.write(energy("intel-rapl:1"), 5000000);
  EXPECT_EQ(Seen(xeon).sensors().size(), 4U);
}

TEST(Rapl, MmioCopiesComeAfterTheRegistersAndInTheSamePlace) {
  const MachineCopy laptop(machine("laptop-psys-mmio"));
  Seen seen(laptop);
  ASSERT_EQ(seen.sensors().size(), 5U);
  EXPECT_TRUE(at(seen.sensor("psys"), DomainKind::psys, 0, 0));
  EXPECT_TRUE(at(seen.sensor("package-0/core"), DomainKind::core, 0, 0));
  EXPECT_TRUE(at(seen.sensor("package-0/uncore"), DomainKind::uncore, 0, 0));
  std::vector<std::string> packages;
  for (const auto& info : seen.sensors()) {
    if (at(info, DomainKind::package, 0, 0)) packages.push_back(info.source);
  }
  ASSERT_EQ(packages.size(), 2U);
  EXPECT_NE(packages[0].find("/intel-rapl:0/"), std::string::npos);
  EXPECT_NE(packages[1].find("/intel-rapl-mmio:0/"), std::string::npos);
}

TEST(Rapl, AZoneThatIsShownFlatAndNestedIsOne) {
  const MachineCopy laptop(machine("laptop-psys-mmio"));
  const auto powercap = laptop.root() / "sys/class/powercap";
  std::filesystem::create_directory_symlink("../intel-rapl:0",
                                            powercap / "link-to-nothing-of-ours");
  std::filesystem::create_directories(powercap / "intel-rapl");
  std::filesystem::create_directory_symlink("../intel-rapl:0",
                                            powercap / "intel-rapl/intel-rapl:0");
  EXPECT_EQ(Seen(laptop).sensors().size(), 5U);
}

TEST(Rapl, TopLevelMemoryWithoutANumberIsCountedUp) {
  const MachineCopy odd;
  for (const char* zone : {"intel-rapl:0", "intel-rapl:1"}) {
    odd.write("sys/class/powercap/" + std::string(zone) + "/name", "dram\n");
    odd.write(energy(zone), 100);
  }
  Seen seen(odd);
  ASSERT_EQ(seen.sensors().size(), 2U);
  EXPECT_TRUE(at(seen.sensors()[0], DomainKind::dram, 0, 0));
  EXPECT_TRUE(at(seen.sensors()[1], DomainKind::dram, 1, 0));
}

TEST(Rapl, DiesThatMirrorOneCounterAreOneSensor) {
  const MachineCopy epyc(machine("epyc-mirrored-dies"));
  Seen seen(epyc);
  ASSERT_EQ(seen.sensors().size(), 2U) << "one package, one core domain";
  const SensorInfo& package = seen.sensor("package-0-die-0");
  EXPECT_TRUE(at(package, DomainKind::package, 0, 0));
  EXPECT_NE(package.source.find("mirrored by package-0-die-1"), std::string::npos);
  for (const std::int64_t value :
       {48000500000L, 60000000000L, 65532610987L, 12000000L, 12000000L}) {
    for (const char* zone : {"intel-rapl/intel-rapl:0", "intel-rapl/intel-rapl:1"}) {
      epyc.write(energy(zone), value);
    }
    EXPECT_EQ(seen.value("package-0-die-0"), value);
  }
}

TEST(Rapl, ADieThatGoesItsOwnWayLaterCountsFromThatMomentOn) {
  const MachineCopy epyc(machine("epyc-mirrored-dies"));
  Seen seen(epyc);
  const std::int64_t start = seen.value("package-0-die-0");
  epyc.write(energy("intel-rapl/intel-rapl:0"), start + 60'000'000);
  epyc.write(energy("intel-rapl/intel-rapl:1"), start + 40'000'000);
  seen.clock->advance(std::chrono::seconds(1));
  EXPECT_EQ(seen.value("package-0-die-0"), start + 100'000'000);
  epyc.write(energy("intel-rapl/intel-rapl:1"), start + 60'000'000);
  EXPECT_EQ(seen.value("package-0-die-0"), start + 120'000'000);
  EXPECT_GE(seen.sensor("package-0-die-0").plausible_power, Power::from_watts(4000));
}

TEST(Rapl, AViewThatIsUpdatedLateIsStillAMirror) {
  const MachineCopy epyc(machine("epyc-mirrored-dies"));
  Seen seen(epyc);
  std::int64_t value = seen.value("package-0-die-0");
  for (int i = 0; i < 20; ++i) {
    value += 1'000'000;
    seen.clock->advance(std::chrono::milliseconds(10));
    epyc.write(energy("intel-rapl/intel-rapl:0"), value);
    EXPECT_EQ(seen.value("package-0-die-0"), value) << "between the two updates";
    epyc.write(energy("intel-rapl/intel-rapl:1"), value);
    EXPECT_EQ(seen.value("package-0-die-0"), value);
  }
}

TEST(Rapl, DiesWithCountersOfTheirOwnAreTwo) {
  const MachineCopy epyc(machine("epyc-mirrored-dies"));
  epyc.write(energy("intel-rapl/intel-rapl:1"), 47000000000);
  Seen seen(epyc);
  EXPECT_TRUE(at(seen.sensor("package-0-die-0"), DomainKind::package, 0, 0));
  EXPECT_TRUE(at(seen.sensor("package-0-die-1"), DomainKind::package, 0, 1));
}

TEST(Rapl, AMirroringDieThatFailsChangesNothingButOneOfItsOwnDoes) {
  const MachineCopy epyc(machine("epyc-mirrored-dies"));
  Seen seen(epyc);
  const std::int64_t start = seen.value("package-0-die-0");
  epyc.write(energy("intel-rapl/intel-rapl:1"), "");
  EXPECT_EQ(seen.value("package-0-die-0"), start);
  seen.clock->advance(std::chrono::seconds(1));
  epyc.write(energy("intel-rapl/intel-rapl:1"), start + 7);
  EXPECT_EQ(seen.value("package-0-die-0"), start + 7) << "apart";
  epyc.write(energy("intel-rapl/intel-rapl:1"), "");
  EXPECT_EQ(seen.read("package-0-die-0").value,
            (tl::expected<std::int64_t, ReadFault>(tl::unexpected(ReadFault::empty))));
  epyc.write(energy("intel-rapl/intel-rapl:1"), start + 9);
  EXPECT_EQ(seen.value("package-0-die-0"), start + 9);
}

TEST(Rapl, ARangeThatSaysNothingIsNoRange) {
  EXPECT_EQ(Seen(MachineCopy(machine("zero-range"))).sensor("package-0").range, std::nullopt);
  const MachineCopy unreadable(machine("unreadable-range"));
  Seen seen(unreadable);
  EXPECT_EQ(seen.sensor("package-0").range, std::nullopt);
  EXPECT_EQ(seen.sensor("package-0/dram").range, std::nullopt);
  EXPECT_EQ(seen.value("package-0"), 4000000000);
  for (const char* text : {"", "-1\n", "1000\n" /* below the counter */, "9e9\n"}) {
    const MachineCopy one(machine("one-socket"));
    one.write("sys/class/powercap/intel-rapl:0/max_energy_range_uj", text);
    Seen odd(one);
    EXPECT_EQ(odd.sensor("package-0").range, std::nullopt) << text;
    EXPECT_EQ(odd.value("package-0"), 1000000000) << text;
  }
}

TEST(Rapl, OneFailingCounterLeavesTheOthersExact) {
  const MachineCopy xeon(machine("xeon-2s-dram"));
  Seen seen(xeon);
  const std::map<std::string, ReadFault> faults = {{"", ReadFault::empty},
                                                   {"oops\n", ReadFault::garbage},
                                                   {"262143328851\n", ReadFault::garbage}};
  for (const auto& [text, why] : faults) {
    xeon.write(energy("intel-rapl:0"), text);
    EXPECT_EQ(seen.read("package-0").value.error(), why);
    EXPECT_EQ(seen.value("package-1"), 127000000000);
  }
  xeon.remove("sys/class/powercap/intel-rapl:0");
  EXPECT_EQ(seen.read("package-0").value.error(), ReadFault::gone);
  EXPECT_EQ(seen.read("package-0/dram").value.error(), ReadFault::gone);
  EXPECT_EQ(seen.value("package-1/dram"), 31900000000);
}

TEST(Rapl, ReadingsHaveTheTimeOfTheirSample) {
  const MachineCopy one(machine("one-socket"));
  Seen seen(one);
  seen.clock->advance(std::chrono::seconds(3));
  EXPECT_EQ(seen.read("package-0").at, MonoTime(std::chrono::seconds(3)));
}

/// A reading of a real counter interrupts the processor, so nobody's must not be taken along.
TEST(Rapl, EachCounterIsReadByItself) {
  const MachineCopy xeon(machine("xeon-2s-dram"));
  const Seen seen(xeon);
  ASSERT_EQ(seen.found.probes.size(), 4U);
  for (const auto& probe : seen.found.probes) EXPECT_EQ(probe->sensors().size(), 1U);
}

TEST(Rapl, AMachineWithoutCountersSaysWhyAndWhatToDo) {
  const std::map<std::string, std::string> reasons = {{"vm-without-powercap", "virtual machine"},
                                                      {"arm-server", "only Intel and AMD"}};
  for (const auto& [name, reason] : reasons) {
    const MachineCopy copy(machine(name));
    const Seen seen(copy);
    EXPECT_TRUE(seen.found.probes.empty());
    ASSERT_EQ(seen.found.findings.size(), 1U);
    const Finding& finding = seen.found.findings[0];
    EXPECT_EQ(finding.outcome, Finding::Outcome::absent);
    EXPECT_NE(finding.reason.find(reason), std::string::npos) << finding.reason;
    EXPECT_NE(finding.remedy, "");
  }
  const MachineCopy bare(machine("one-socket"));
  bare.remove("sys");
  EXPECT_NE(Seen(bare).found.findings.at(0).remedy.find("modprobe"), std::string::npos);
  bare.write(".dockerenv", "");
  EXPECT_NE(Seen(bare).found.findings.at(0).remedy.find("mount"), std::string::npos);
}

/// Makes a counter unreadable in each way that needs no permission.
std::vector<std::function<void(const MachineCopy&, const std::string&)>> ways_to_fail() {
  return {[](const auto& copy, const auto& path) { copy.write(path, ""); },
          [](const auto& copy, const auto& path) { copy.write(path, "nonsense\n"); },
          [](const auto& copy, const auto& path) { copy.remove(path); },
          [](const auto& copy, const auto& path) {
            copy.remove(path);
            copy.write(path + "/a folder", "");
          }};
}

TEST(Rapl, ACounterThatCannotBeReadYetIsASensorWhereOthersOfItsKindCan) {
  for (const auto& fail : ways_to_fail()) {
    const MachineCopy xeon(machine("xeon-2s-dram"));
    const std::map<std::string, std::string> lost = {
        {"package-1", energy("intel-rapl:1")},
        {"package-0/dram", energy("intel-rapl:0/intel-rapl:0:0")}};
    for (const auto& [name, path] : lost) fail(xeon, path);
    Seen seen(xeon);
    ASSERT_EQ(seen.sensors().size(), 4U);
    EXPECT_EQ(seen.count(Finding::Outcome::found), 2U);
    EXPECT_EQ(seen.count(Finding::Outcome::unsupported), 2U);
    for (const auto& [name, path] : lost) {
      EXPECT_FALSE(seen.read(name).value) << name;
      xeon.remove(path);
      xeon.write(path, 4000);
      EXPECT_EQ(seen.value(name), 4000) << name;
    }
    EXPECT_EQ(seen.sensor("package-1").range, Energy::from_uj(262143328850));
    EXPECT_EQ(seen.value("package-1/dram"), 31900000000);
  }
}

TEST(Rapl, WhereNoneOfAKindCanBeReadThereIsRoomForTheModel) {
  for (const auto& fail : ways_to_fail()) {
    const MachineCopy xeon(machine("xeon-2s-dram"));
    fail(xeon, energy("intel-rapl:0"));
    fail(xeon, energy("intel-rapl:1"));
    const Seen seen(xeon);
    EXPECT_EQ(seen.sensors().size(), 2U) << "the memory";
    EXPECT_EQ(seen.count(Finding::Outcome::unsupported), 2U);
  }
}

TEST(Rapl, CoresDoNotStandInForThePackageThatCannotBeReadYet) {
  for (const auto& fail : ways_to_fail()) {
    const MachineCopy laptop(machine("laptop-psys-mmio"));
    laptop.remove("sys/class/powercap/intel-rapl-mmio:0");
    fail(laptop, energy("intel-rapl:0"));
    EXPECT_FALSE(Seen(laptop).read("package-0").value);
  }
}

TEST(Rapl, ASecondViewThatCanBeReadServesInPlaceOfTheFirst) {
  for (const auto& fail : ways_to_fail()) {
    const MachineCopy laptop(machine("laptop-psys-mmio"));
    fail(laptop, energy("intel-rapl:0"));
    const Seen seen(laptop);
    const auto sensors = seen.sensors();
    const auto packages = std::count_if(sensors.begin(), sensors.end(), [](const SensorInfo& info) {
      return at(info, DomainKind::package, 0, 0);
    });
    EXPECT_EQ(packages, 1);
    EXPECT_EQ(sensors.size(), 4U);
  }
}

TEST(Rapl, ADieThatCannotBeReadYetIsNotCountedTwiceLater) {
  const std::vector<std::string> dies = {energy("intel-rapl/intel-rapl:0"),
                                         energy("intel-rapl/intel-rapl:1")};
  const std::string both = "package-0-die-0 + package-0-die-1";
  for (const auto& fail : ways_to_fail()) {
    for (const auto& lost : dies) {
      const MachineCopy epyc(machine("epyc-mirrored-dies"));
      fail(epyc, lost);
      Seen seen(epyc);
      EXPECT_FALSE(seen.read(both).value);
      epyc.remove(lost);
      for (const auto& die : dies) epyc.write(die, 5'000'000);
      EXPECT_EQ(seen.value(both), 5'000'000);
      for (const auto& die : dies) epyc.write(die, 7'000'000);
      seen.clock->advance(std::chrono::seconds(1));
      EXPECT_EQ(seen.value(both), 7'000'000) << "one counter in two views";
      epyc.write(dies[0], 9'000'000);
      epyc.write(dies[1], 8'000'000);
      seen.clock->advance(std::chrono::seconds(1));
      EXPECT_EQ(seen.value(both), 10'000'000) << "two counters after all";
    }
  }
}

TEST(Rapl, AZoneOfAnUnknownKindIsNoSensor) {
  const MachineCopy xeon(machine("xeon-2s-dram"));
  xeon.write("sys/class/powercap/intel-rapl:1/intel-rapl:1:0/name", "gpu\n");
  const Seen seen(xeon);
  EXPECT_EQ(seen.sensors().size(), 3U);
  EXPECT_EQ(seen.count(Finding::Outcome::unsupported), 1U);
}

/// Gives up root for a scope, so that permissions are felt.
class AsNobody {
 public:
  AsNobody() : was_(::geteuid()) {
    if (was_ == 0 && ::seteuid(65534) != 0) std::abort();
  }
  ~AsNobody() {
    if (was_ == 0 && ::seteuid(0) != 0) std::abort();
  }

 private:
  uid_t was_;
};

TEST(Rapl, CountersThatMayNotBeReadSayToWhomToAllowItAndWhyNotToAll) {
  const MachineCopy xeon(machine("xeon-2s-dram"));
  const auto nobody = std::filesystem::perms::none;
  std::filesystem::permissions(xeon.root() / energy("intel-rapl:0"), nobody);
  std::filesystem::permissions(xeon.root() / energy("intel-rapl:1"), nobody);
  const AsNobody unprivileged;
  const Seen seen(xeon);
  EXPECT_EQ(seen.sensors().size(), 2U) << "memory can still be read";
  ASSERT_EQ(seen.count(Finding::Outcome::denied), 1U);
  const auto& denied = *std::find_if(
      seen.found.findings.begin(), seen.found.findings.end(),
      [](const Finding& finding) { return finding.outcome == Finding::Outcome::denied; });
  EXPECT_NE(denied.subject.find("package-0, package-1"), std::string::npos) << denied.subject;
  EXPECT_NE(denied.reason.find("CVE-2020-8694"), std::string::npos);
  EXPECT_NE(denied.remedy.find("g+r"), std::string::npos);
  EXPECT_EQ(denied.remedy.find("o+r"), std::string::npos);
}

TEST(Rapl, ACounterThatMayNotBeReadWhileItsLikeMayIsASensorThatSaysNothing) {
  const MachineCopy xeon(machine("xeon-2s-dram"));
  const auto path = xeon.root() / energy("intel-rapl:1");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  std::optional<Seen> seen;
  {
    const AsNobody unprivileged;
    seen.emplace(xeon);
    ASSERT_EQ(seen->sensors().size(), 4U);
    EXPECT_EQ(seen->count(Finding::Outcome::denied), 1U);
    EXPECT_FALSE(seen->read("package-1").value);
  }
  std::filesystem::permissions(path, std::filesystem::perms(0444));
  const AsNobody unprivileged;
  EXPECT_EQ(seen->value("package-1"), 127000000000);
}

}  // namespace
}  // namespace codecarbon::rapl
