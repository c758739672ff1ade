#include "sensors/nvml/nvml.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "readings/gpu_model.hpp"
#include "sensors/nvml/nvml_fixture.hpp"
#include "sensors/nvml/nvml_probe.hpp"

namespace codecarbon::nvml {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr const char* kTwo = R"({"gpus": [
  {"name": "NVIDIA H100 80GB HBM3", "power_w": 300, "start_j": 86400000,
   "utilization_percent": 40, "memory": {"total_gib": 80, "used_gib": 20}},
  {"name": "NVIDIA H100 80GB HBM3", "power_w": 100}]})";

TEST(Nvml, AGpuSaysWhoItIs) {
  const FakeMachine machine(kTwo, R"({"gpus": [{"uuid": "GPU-6a3f", "bus": 23}]})");
  const Discovery found = machine.discover();
  ASSERT_EQ(found.probes.size(), 2U);
  EXPECT_EQ(count(found, Finding::Outcome::found), 2U);
  const Domain& domain = found.probes[0]->sensors()[0].domain;
  EXPECT_EQ(domain.kind, DomainKind::gpu);
  EXPECT_EQ(domain.name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(domain.vendor, Vendor::nvidia);
  EXPECT_EQ(domain.uuid, "GPU-6a3f");
  EXPECT_EQ(domain.bus_id, "0000:17:00.0");
  EXPECT_EQ(found.probes[1]->sensors()[0].domain.index, 1);
  EXPECT_TRUE(found.probes[0]->may_hang());
  EXPECT_NE(found.findings[0].subject.find("driver 550.54.14"), std::string::npos);
}

TEST(Nvml, ReadingsAreInTheUnitsOfTheirQuantity) {
  FakeMachine machine(kTwo);
  const Discovery found = machine.discover();
  Probe& probe = *found.probes.at(0);
  machine.set_time(seconds(2));
  EXPECT_EQ(read(probe, Quantity::energy, seconds(2)).value, 86400600000000);
  EXPECT_EQ(read(probe, Quantity::utilization, seconds(2)).value, 400000);
  EXPECT_EQ(read(probe, Quantity::memory_used, seconds(2)).value, 20LL << 30U);
  EXPECT_EQ(probe.sensors()[2].memory_total, 80LL << 30U);
  EXPECT_EQ(probe.sensors()[0].plausible_power, Power::from_uw(1'400'000'000));
  EXPECT_EQ(read(probe, Quantity::energy, seconds(2)).at, MonoTime(seconds(2)));
}

TEST(Nvml, UsageIsAskedForTenTimesASecondAtMost) {
  FakeMachine machine(R"({"gpus": [{"power_w": 1, "memory": {"total_gib": 4, "used_gib":
      {"ramp": {"from_gib": 0, "to_gib": 4, "over_s": 4}}}}]})");
  const Discovery found = machine.discover();
  Probe& probe = *found.probes.at(0);
  const auto used = [&](Duration t) {
    machine.set_time(t);
    return read(probe, Quantity::memory_used, t).value.value();
  };
  const auto first = used(seconds(1));
  EXPECT_EQ(used(milliseconds(1099)), first);
  EXPECT_GT(used(milliseconds(1100)), first);
}

struct Generation {
  unsigned int architecture;
  unsigned int pci_device;
  Duration averaging;
};

TEST(Nvml, APowerReadingIsTheMeanOfASecondOnAmpereButForGa100AndOnWhatCameLater) {
  const std::vector<Generation> generations = {
      {4, 0x1b80, {}},                   // Pascal, GTX 1080
      {6, 0x1eb8, {}},                   // Turing, T4
      {7, 0x20b2, {}},                   // GA100: A100
      {7, 0x20b7, {}},                   // GA100: A30
      {7, 0x2236, seconds(1)},           // GA102: A10
      {9, 0x2330, seconds(1)},           // Hopper
      {0xffffffff, 0x3000, seconds(1)},  // newer than the driver
  };
  for (const auto& [architecture, pci_device, averaging] : generations) {
    const FakeMachine machine(R"({"gpus": [{"power_w": 26, "sensor": "power"}]})",
                              R"({"gpus": [{"architecture": )" + std::to_string(architecture) +
                                  R"(, "pci_device": )" + std::to_string(pci_device) + "}]}");
    const Discovery found = machine.discover();
    const SensorInfo& sensor = found.probes.at(0)->sensors()[0];
    EXPECT_EQ(sensor.quantity, Quantity::power);
    EXPECT_EQ(sensor.averaging, averaging) << pci_device;
  }
}

TEST(Nvml, UnderMigTheEnergyIsTheWholeGpusAndItsInstancesAreNamed) {
  const FakeMachine machine(kTwo, R"({"gpus": [{"mig": ["MIG-11", "", "MIG-13"]}]})");
  const Discovery found = machine.discover();
  ASSERT_EQ(found.probes.size(), 2U);
  const auto sensors = found.probes[0]->sensors();
  EXPECT_EQ(sensors[0].domain.instances, (std::vector<std::string>{"MIG-11", "MIG-13"}));
  EXPECT_NE(found.findings[0].subject.find("MIG-13"), std::string::npos);
  for (const SensorInfo& sensor : sensors) EXPECT_NE(sensor.quantity, Quantity::utilization);
  EXPECT_TRUE(found.probes[1]->sensors()[0].domain.instances.empty());
}

TEST(Nvml, ANodeOfEightGpusOfWhichTwoAreDividedIsEightProbes) {
  const FakeMachine machine = FakeMachine::of_folder("h100-8x-mig");
  const Discovery found = machine.discover();
  ASSERT_EQ(found.probes.size(), 8U);
  EXPECT_EQ(count(found, Finding::Outcome::found), 8U);
  const std::vector<std::size_t> instances = {7, 0, 0, 0, 0, 2, 0, 0};
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const Domain& domain = found.probes[i]->sensors()[0].domain;
    EXPECT_EQ(domain.index, static_cast<int>(i));
    EXPECT_EQ(domain.instances.size(), instances[i]);
  }
  EXPECT_EQ(found.probes[0]->sensors()[0].domain.bus_id, "0000:1b:00.0");
}

TEST(Nvml, ADriverFromBeforeTheCounterStillGivesThePower) {
  FakeMachine machine(kTwo, "{}", "fake_nvml_before_volta");
  const Discovery found = machine.discover();
  ASSERT_EQ(found.probes.size(), 2U);
  EXPECT_EQ(read(*found.probes[0], Quantity::power, {}).value, 300'000'000);
  EXPECT_EQ(found.probes[0]->sensors()[0].averaging, Duration{});
}

TEST(Nvml, ALibraryThatIsTooOldOrFailsToStartIsOneFinding) {
  const FakeMachine old(kTwo, "{}", "fake_nvml_too_old");
  ASSERT_EQ(old.discover().findings.size(), 1U);
  EXPECT_NE(old.discover().findings[0].reason.find("too old"), std::string::npos);
  for (int code = 1; code < 32; ++code) {
    const FakeMachine machine(kTwo, R"({"init": )" + std::to_string(code) + "}");
    const Discovery found = machine.discover();
    EXPECT_TRUE(found.probes.empty());
    ASSERT_EQ(found.findings.size(), 1U);
    EXPECT_NE(found.findings[0].outcome, Finding::Outcome::found);
    EXPECT_NE(found.findings[0].reason, "");
  }
}

TEST(Nvml, WhyItFailedToStartDecidesWhatToDo) {
  const auto finding = [](const char* facts) {
    return FakeMachine(kTwo, facts).discover().findings.at(0);
  };
  EXPECT_EQ(finding(R"({"init": 9})").outcome, Finding::Outcome::absent);
  EXPECT_NE(finding(R"({"init": 9})").remedy.find("modprobe"), std::string::npos);
  EXPECT_EQ(finding(R"({"init": 4})").outcome, Finding::Outcome::denied);
  EXPECT_NE(finding(R"({"init": 18})").reason.find("mismatch"), std::string::npos);
  EXPECT_NE(finding(R"({"init": 18})").remedy.find("reboot"), std::string::npos);
}

TEST(Nvml, ADriverWithoutGpusSaysSo) {
  const FakeMachine machine(R"({"sockets": [{"package": {"power_w": 1}}]})");
  const Discovery found = machine.discover();
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].outcome, Finding::Outcome::absent);
}

/// Facts of two GPUs, the first of which answers 3 (not supported) to these and to the calls of
/// energy and power.
std::string without_readings(const std::string& more, const char* is_virtual = "false") {
  return std::string(R"({"gpus": [{"virtual": )") + is_virtual + R"(, "answers": {)" + more +
         R"("nvmlDeviceGetTotalEnergyConsumption": 3, "nvmlDeviceGetPowerUsage": 3}}]})";
}

TEST(Nvml, WithNeitherCounterNorPowerNorLimitThereIsNoEnergyAndAReason) {
  for (const char* kind : {"false", "true"}) {
    const FakeMachine machine(kTwo, without_readings(R"("nvmlDeviceGetEnforcedPowerLimit": 3,
                                  "nvmlDeviceGetPowerManagementLimit": 3, )",
                                                     kind));
    const Discovery found = machine.discover();
    EXPECT_EQ(count(found, Finding::Outcome::unsupported), 1U);
    EXPECT_EQ(found.findings[0].remedy.empty(), std::string(kind) == "false");
    for (const SensorInfo& sensor : found.probes.at(0)->sensors()) {
      EXPECT_TRUE(sensor.quantity == Quantity::utilization ||
                  sensor.quantity == Quantity::memory_used);
    }
  }
}

TEST(Nvml, WithNeitherCounterNorPowerTheLimitIsModelledAndSaidToBe) {
  for (const bool knows_use : {true, false}) {
    const FakeMachine machine(
        kTwo, without_readings(knows_use ? "" : R"("nvmlDeviceGetUtilizationRates": 3, )"));
    const Discovery found = machine.discover();
    EXPECT_EQ(count(found, Finding::Outcome::found), 2U);
    EXPECT_EQ(count(found, Finding::Outcome::unsupported), 1U) << "and why it is a model";
    Probe& probe = *found.probes.at(0);
    const SensorInfo& sensor = probe.sensors()[0];
    EXPECT_EQ(sensor.method, Method::modelled);
    EXPECT_EQ(sensor.quantity, Quantity::power);
    EXPECT_EQ(sensor.relative_bound, knows_use ? kGpuModelBound : kGpuGuessBound);
    const Power limit = sensor.plausible_power;
    EXPECT_EQ(
        read(probe, Quantity::power, seconds(1)).value,
        gpu_power(limit, knows_use ? std::optional<std::int64_t>(400'000) : std::nullopt).uw());
    EXPECT_EQ(found.probes.at(1)->sensors()[0].method, Method::measured);
  }
}

TEST(Nvml, TheLastProbeEndsTheUseOfTheDriver) {
  FakeMachine machine(kTwo);
  Discovery first = machine.discover();
  Discovery second = machine.discover();
  EXPECT_EQ(machine.users(), 2);
  first.probes.pop_back();
  EXPECT_EQ(machine.users(), 2);
  first.probes.clear();
  EXPECT_EQ(machine.users(), 1);
  EXPECT_TRUE(read(*second.probes[0], Quantity::energy, {}).value);
  second.probes.clear();
  EXPECT_EQ(machine.users(), 0);
}

TEST(Nvml, ProcessesOfAGpuAreListedOnceEach) {
  FakeMachine machine(kTwo, R"({"gpus": [{"processes": [
      {"pid": 11, "memory_mib": 512, "sm_percent": 60},
      {"pid": 12, "sm_percent": 20}, {"pid": 11, "graphics": true},
      {"pid": 13, "graphics": true, "sm_percent": 5}]}]})");
  const auto session = Session::open(machine.host()).value();
  const auto device = NvmlDevice::at(session, 0).value();
  std::array<ProcessInfo, 8> buffer{};
  ASSERT_EQ(running_processes(device, buffer), 3U);
  EXPECT_EQ(buffer[0].pid, 11U);
  EXPECT_EQ(buffer[0].used_memory, 512U << 20U);
  EXPECT_EQ(buffer[2].pid, 13U);
  EXPECT_EQ(running_processes(device, std::span(buffer).first(1)).error(),
            Return::insufficient_size);
  EXPECT_EQ(running_processes(NvmlDevice::at(session, 1).value(), buffer), 0U);
  std::array<ProcessUtilization, 8> shares{};
  machine.set_time(seconds(1));
  ASSERT_EQ(process_utilization(device, shares, 0), 4U);
  EXPECT_EQ(shares[0].sm, 60U);
  EXPECT_EQ(process_utilization(device, shares, 1'000'000).error(), Return::not_found);
}

TEST(Nvml, AProbeTellsWhatEachProcessHadOfItsGpuSinceItWasLastAsked) {
  FakeMachine machine(kTwo, R"({"gpus": [{"processes": [
      {"pid": 11, "sm_percent": 60}, {"pid": 12, "sm_percent": 20}]},
      {"processes": [{"pid": 13, "sm_percent": 7}]}]})");
  auto found = machine.discover();
  std::array<GpuProcess, 8> users{};
  machine.set_time(seconds(1));
  ASSERT_EQ(found.probes[0]->users(0, users), 2U);
  EXPECT_EQ(users[0].pid, 11);
  EXPECT_EQ(users[0].utilization, 60);
  EXPECT_EQ(users[1].utilization, 20);
  ASSERT_EQ(found.probes[0]->users(0, users), 2U);
  EXPECT_EQ(users[0].utilization, std::nullopt);  // no sample since
  ASSERT_EQ(found.probes[1]->users(0, users), 1U);
  EXPECT_EQ(users[0].pid, 13);
  EXPECT_EQ(found.probes[0]->users(0, std::span(users).first(1)), std::nullopt);
}

}  // namespace
}  // namespace codecarbon::nvml
