/// Whatever the driver answers: no crash, and no joule that did not flow.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <random>
#include <string>
#include <thread>

#include "readings/counter.hpp"
#include "sensors/nvml/nvml_fixture.hpp"
#include "sensors/nvml/nvml_probe.hpp"

namespace codecarbon::nvml {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::string with_fault(const char* kind) {
  return std::string(R"({"gpus": [{"power_w": 250, "utilization_percent": 50, "faults": [
      {"kind": ")") +
         kind + R"(", "from_s": 10, "to_s": 20}]}]})";
}

TEST(NvmlFaults, EachWayToFailIsAFaultOfItsKindAndThenItIsRightAgain) {
  const std::pair<const char*, ReadFault> kinds[] = {{"empty", ReadFault::empty},
                                                     {"garbage", ReadFault::garbage},
                                                     {"unreadable", ReadFault::unreadable},
                                                     {"disappear", ReadFault::gone}};
  for (const auto& [kind, fault] : kinds) {
    FakeMachine machine(with_fault(kind));
    const Discovery found = machine.discover();
    Probe& probe = *found.probes.at(0);
    for (int second = 0; second < 30; ++second) {
      machine.set_time(seconds(second));
      const auto value = read(probe, Quantity::energy, seconds(second)).value;
      if (second >= 10 && second < 20) {
        EXPECT_EQ(value, (tl::expected<std::int64_t, ReadFault>(tl::unexpected(fault)))) << kind;
      } else {
        EXPECT_EQ(value, second * 250'000'000LL) << kind << " " << second;
      }
    }
  }
}

TEST(NvmlFaults, ALostGpuTakesItsUsageWithIt) {
  FakeMachine machine(with_fault("disappear"));
  const Discovery found = machine.discover();
  Probe& probe = *found.probes.at(0);
  machine.set_time(seconds(9));
  EXPECT_TRUE(read(probe, Quantity::utilization, seconds(9)).value);
  machine.set_time(seconds(10));
  EXPECT_EQ(read(probe, Quantity::utilization, seconds(10)).value.error(), ReadFault::gone);
  machine.set_time(seconds(21));
  EXPECT_TRUE(read(probe, Quantity::utilization, seconds(21)).value);
}

TEST(NvmlFaults, EveryCodeAtDiscoveryLeavesTheOtherGpuExact) {
  for (const char* function :
       {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetName", "nvmlDeviceGetUUID",
        "nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetTotalEnergyConsumption",
        "nvmlDeviceGetUtilizationRates", "nvmlDeviceGetEnforcedPowerLimit",
        "nvmlDeviceGetArchitecture", "nvmlDeviceGetMigMode"}) {
    for (const int code : {1, 2, 3, 4, 6, 8, 10, 11, 13, 15, 16, 27, 999, 1000}) {
      FakeMachine machine(R"({"gpus": [{"power_w": 250}, {"power_w": 100}]})",
                          std::string(R"({"gpus": [{"answers": {")") + function + R"(": )" +
                              std::to_string(code) + "}}]}");
      const Discovery found = machine.discover();
      ASSERT_FALSE(found.probes.empty());
      EXPECT_EQ(found.findings.size(), 2U);
      Probe& other = *found.probes.back();
      EXPECT_EQ(other.sensors()[0].domain.index, 1);
      machine.set_time(seconds(3));
      EXPECT_EQ(read(other, Quantity::energy, seconds(3)).value, 300'000'000);
    }
  }
}

/// The chooser of the fake has no context, so that what it draws from lives here.
struct Dice {
  std::mt19937 random;
  unsigned int percent = 0;
};
thread_local Dice dice;

unsigned int roll(const char*) {
  constexpr std::array<unsigned int, 14> kCodes = {1,  2,  3,  4,  6,  8,   10,
                                                   11, 13, 15, 16, 27, 999, 1000};
  if (dice.random() % 100 >= dice.percent) return 0;
  return kCodes[dice.random() % kCodes.size()];
}

TEST(NvmlFaults, WhateverTheDriverAnswersNoJouleIsInvented) {
  FakeMachine machine(R"({"gpus": [{"power_w": {"square": {"low_w": 50, "high_w": 700,
      "period_ms": 37}}, "start_j": 5000, "utilization_percent": 50,
      "memory": {"total_gib": 80, "used_gib": 1}}, {"power_w": 300, "sensor": "power"}]})");
  Duration t{};
  EXPECT_TRUE(rc::check([&] {
    dice.random.seed(*rc::gen::arbitrary<unsigned int>());
    dice.percent = *rc::gen::inRange(0U, 30U);
    machine.answer_by(roll);
    const Discovery found = machine.discover();
    dice.percent = *rc::gen::inRange(0U, 101U);
    RC_CLASSIFY(found.probes.size() == 2);
    for (const auto& probe : found.probes) {
      const SensorInfo& info = probe->sensors()[0];
      if (info.quantity != Quantity::energy) continue;
      Counter counter(info);
      Energy total;
      std::optional<Duration> first;
      std::optional<Duration> last;
      for (int i = 0; i < 40; ++i) {
        t += milliseconds(*rc::gen::inRange(1, 2000));
        machine.set_time(t);
        const Reading reading = read(*probe, Quantity::energy, t);
        if (reading.value) last = t;
        if (reading.value && !first) first = t;
        if (const auto interval = counter.advance(reading)) total += interval->energy;
      }
      if (!first) continue;
      const Energy off = total - machine.true_energy(info.domain.index, *first, *last);
      // At each end the counter is up to a millijoule behind.
      RC_ASSERT(std::abs(off.uj()) < 1000);
    }
    machine.answer_by(nullptr);
  }));
}

TEST(NvmlFaults, AGpuThatHangsHoldsNoOther) {
  FakeMachine machine(R"({"gpus": [{"power_w": 250}, {"power_w": 100}]})");
  const Discovery found = machine.discover();
  machine.set_time(seconds(1));
  machine.hang(0, true);
  Reading late;
  std::thread stuck([&] { late = read(*found.probes.at(0), Quantity::energy, seconds(1)); });
  EXPECT_EQ(read(*found.probes.at(1), Quantity::energy, seconds(1)).value, 100'000'000);
  machine.hang(0, false);
  stuck.join();
  EXPECT_EQ(late.value, 250'000'000);
}

}  // namespace
}  // namespace codecarbon::nvml
