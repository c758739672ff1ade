#include "sensors/hwmon/hwmon.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "host/machine_copy.hpp"
#include "readings/counter.hpp"
#include "readings/discovery_fixture.hpp"
#include "readings/power_integrator.hpp"

namespace codecarbon::hwmon {
namespace {

using testing_support::count;
using testing_support::read;

using std::chrono::milliseconds;
using testing_support::machine;
using testing_support::MachineCopy;

Discovery look(const MachineCopy& copy) {
  return discover(copy.host(), {});
}

Probe* find(const Discovery& found, DomainKind kind, int index = 0) {
  for (const auto& probe : found.probes) {
    if (probe->sensors()[0].domain.same_place({kind, index, 0, {}})) return probe.get();
  }
  return nullptr;
}

std::string meter(int number, std::string_view file = "power1_average") {
  return "sys/class/hwmon/hwmon" + std::to_string(number) + "/device/" + std::string(file);
}

TEST(Hwmon, GraceIsAPackageWithPartsInsideAndTheModuleIsNoSensor) {
  const MachineCopy grace(machine("grace-arm"));
  const Discovery found = look(grace);
  EXPECT_EQ(found.probes.size(), 6U);
  for (const int socket : {0, 1}) {
    Probe* package = find(found, DomainKind::package, socket);
    ASSERT_NE(package, nullptr);
    const SensorInfo& info = package->sensors()[0];
    EXPECT_EQ(info.quantity, Quantity::power);
    EXPECT_EQ(info.averaging, milliseconds(50));
    EXPECT_EQ(info.relative_bound, 0);
    EXPECT_FALSE(package->may_hang());
    EXPECT_EQ(read(*package).value, 142'000'000);
    EXPECT_EQ(read(*find(found, DomainKind::core, socket)).value, 98'000'000);
    EXPECT_EQ(read(*find(found, DomainKind::uncore, socket)).value, 21'000'000);
  }
  EXPECT_EQ(find(found, DomainKind::node), nullptr);
  EXPECT_EQ(count(found, Finding::Outcome::unsupported), 2U) << "the modules";
}

TEST(Hwmon, AMeterWithoutALabelIsTheWholeMachine) {
  const MachineCopy server(machine("server-with-acpi-power-meter"));
  const Discovery found = look(server);
  ASSERT_EQ(found.probes.size(), 1U);
  Probe* node = find(found, DomainKind::node);
  ASSERT_NE(node, nullptr);
  const SensorInfo& info = node->sensors()[0];
  EXPECT_EQ(info.averaging, std::chrono::seconds(1));
  EXPECT_DOUBLE_EQ(info.relative_bound, 0.05);
  EXPECT_TRUE(node->may_hang());
  EXPECT_EQ(read(*node).value, 412'000'000);
  ASSERT_EQ(count(found, Finding::Outcome::unsupported), 1U) << "the power supply";
  EXPECT_NE(found.findings[0].subject.find("corsairpsu"), std::string::npos);
}

TEST(Hwmon, OfSeveralMetersWithoutALabelNoneIsGuessedToBeTheMachine) {
  const MachineCopy server(machine("server-with-acpi-power-meter"));
  server.write("sys/class/hwmon/hwmon5/name", "power_meter\n");
  server.write(meter(5), 100'000'000);
  const Discovery found = look(server);
  EXPECT_TRUE(found.probes.empty());
  EXPECT_EQ(count(found, Finding::Outcome::unsupported), 3U);
}

TEST(Hwmon, FilesInTheFolderOfTheChipServeToo) {
  const MachineCopy server;
  server.write("sys/class/hwmon/hwmon0/name", "power_meter\n");
  server.write("sys/class/hwmon/hwmon0/power1_average", 7'000'000);
  EXPECT_EQ(read(*find(look(server), DomainKind::node)).value, 7'000'000);
  const MachineCopy old;
  old.write("sys/class/hwmon/hwmon0/device/name", "power_meter\n");
  old.write(meter(0), 8'000'000);
  EXPECT_EQ(read(*find(look(old), DomainKind::node)).value, 8'000'000);
}

/// Square waves of 5 to 500 ms, which the meter shows as the mean over its window.
TEST(Hwmon, AMinuteOfSquareWavesLiesWithinTheBound) {
  for (const int half : {5, 25, 50, 250, 500}) {
    const MachineCopy grace(machine("grace-arm"));
    const Discovery found = look(grace);
    Probe& package = *find(found, DomainKind::package, 0);
    PowerIntegrator integrator(package.sensors()[0]);
    const auto power_at = [&](int ms) { return (ms / half) % 2 == 0 ? 90'000'000 : 410'000'000; };
    Energy counted;
    Energy bound;
    double truth_uj = 0;
    std::int64_t window = 0;
    std::int64_t shown = -1;
    for (int ms = 0; ms <= 60'000; ++ms) {
      if (ms > 0) truth_uj += power_at(ms - 1) / 1e3;
      window += power_at(ms);
      if (ms >= 50) window -= power_at(ms - 50);
      if (ms % 50 != 0) continue;
      const std::int64_t mean = window / std::min(ms + 1, 50);
      if (mean != std::exchange(shown, mean)) grace.write(meter(1), mean);
      if (const auto interval = integrator.advance(read(package, MonoTime{} + milliseconds(ms)))) {
        EXPECT_FALSE(interval->gap);
        counted += interval->energy;
        bound += interval->bound;
      }
    }
    // The window of the first reading reaches back before it.
    const double slack = 410'000'000 * 0.05;
    EXPECT_LE(std::abs(static_cast<double>(counted.uj()) - truth_uj),
              static_cast<double>(bound.uj()) + slack)
        << half;
  }
}

TEST(Hwmon, SocketsOfAmdEnergyAreExactOverAMinuteAndCoresAreLeftAlone) {
  const MachineCopy epyc(machine("amd-energy-hwmon"));
  const Discovery found = look(epyc);
  ASSERT_EQ(found.probes.size(), 2U);
  for (const int socket : {0, 1}) {
    Probe* probe = find(found, DomainKind::package, socket);
    ASSERT_NE(probe, nullptr);
    Counter counter(probe->sensors()[0]);
    std::int64_t truth = 0;
    Energy counted;
    for (int step = 0; step <= 600; ++step) {
      if (step > 0) truth += (step + socket) % 2 == 0 ? 23'456'789 : 4'000'001;
      epyc.write("sys/class/hwmon/hwmon3/energy" + std::to_string(5 + socket) + "_input",
                 90'000'000'000 + truth);
      if (const auto interval =
              counter.advance(read(*probe, MonoTime{} + step * milliseconds(100)))) {
        EXPECT_FALSE(interval->gap);
        counted += interval->energy;
      }
    }
    EXPECT_EQ(counted, Energy::from_uj(truth));
  }
}

TEST(Hwmon, TheSupplyOfAJetsonIsTheNodeAndSharedRailsAreNamed) {
  const MachineCopy jetson(machine("jetson-orin-nx"));
  const Discovery found = look(jetson);
  ASSERT_EQ(found.probes.size(), 1U);
  Probe* node = find(found, DomainKind::node);
  ASSERT_NE(node, nullptr);
  EXPECT_EQ(read(*node).value, 4976 * 1544);
  EXPECT_EQ(count(found, Finding::Outcome::unsupported), 2U);
  const std::string amperes = "sys/class/hwmon/hwmon1/curr1_input";
  for (const char* text : {"", "-3\n", "x\n", "99999999999\n"}) {
    jetson.write(amperes, text);
    EXPECT_FALSE(read(*node).value) << text;
  }
  jetson.write(amperes, 1000);
  EXPECT_EQ(read(*node).value, 4'976'000);
}

TEST(Hwmon, ABadFileHurtsNoOther) {
  const std::vector<std::string> bad = {"",     "\n",    "garbage\n",
                                        "-5\n", "1e9\n", std::string(1'000'000, '7')};
  for (const std::string& text : bad) {
    const MachineCopy grace(machine("grace-arm"));
    grace.write(meter(1), text);
    grace.write(meter(5, "power1_average_interval"), text);
    grace.write(meter(5, "power1_accuracy"), text);
    const Discovery found = look(grace);
    Probe* lost = find(found, DomainKind::package, 0);
    ASSERT_NE(lost, nullptr) << "else the other socket would look like the whole machine";
    EXPECT_FALSE(read(*lost).value);
    Probe* other = find(found, DomainKind::package, 1);
    EXPECT_EQ(read(*other).value, 142'000'000);
    EXPECT_EQ(other->sensors()[0].averaging, Duration{});
    EXPECT_EQ(other->sensors()[0].relative_bound, 0);
    EXPECT_EQ(read(*find(found, DomainKind::core, 0)).value, 98'000'000);
    grace.write(meter(1), 5'000'000);
    EXPECT_EQ(read(*lost).value, 5'000'000);
  }
}

TEST(Hwmon, LabelsAndNamesThatAreGarbageMakeNoSensor) {
  const MachineCopy odd;
  odd.write("sys/class/hwmon/hwmon0/name", "");
  odd.write("sys/class/hwmon/hwmon0/power1_input", 1);
  odd.write("sys/class/hwmon/hwmon1/name", std::string(100'000, 'x'));
  odd.write("sys/class/hwmon/hwmon1/power1_input", 1);
  odd.write("sys/class/hwmon/hwmon2/name", "amd_energy\n");
  odd.write("sys/class/hwmon/hwmon2/energy1_label", "Esocket-1\n");
  odd.write("sys/class/hwmon/hwmon2/energy1_input", 1);
  odd.write("sys/class/hwmon/hwmon3/name", "power_meter\n");
  odd.write(meter(3), 1);
  odd.write(meter(3, "power1_oem_info"), "Some socket 3\n");
  const Discovery found = look(odd);
  EXPECT_TRUE(found.probes.empty());
  EXPECT_EQ(count(found, Finding::Outcome::unsupported), 2U);
}

TEST(Hwmon, AMachineWithoutSuchChipsSaysSo) {
  const MachineCopy empty;
  empty.write("sys/class/hwmon/hwmon0/name", "cpu_thermal\n");
  empty.write("sys/class/hwmon/hwmon1/name", "amdgpu\n");
  empty.write("sys/class/hwmon/hwmon1/power1_average", 1);
  const Discovery found = look(empty);
  EXPECT_TRUE(found.probes.empty());
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].outcome, Finding::Outcome::absent);
}

}  // namespace
}  // namespace codecarbon::hwmon
