#include "sensors/amdsmi/gpu_probe.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "readings/allocations_fixture.hpp"

namespace codecarbon::amdsmi {
namespace {

/// A GPU whose every answer is set by the test.
struct Answers {
  Answer<EnergyCount> energy = EnergyCount{65'536, 15.259F};
  Answer<std::uint32_t> busy = 40;
  Answer<std::uint64_t> used = 1U << 30U;
};

class ScriptedGpu final : public Gpu {
 public:
  explicit ScriptedGpu(const Answers& answers) : answers_(answers) {}
  Answer<EnergyCount> energy() const override { return answers_.energy; }
  Answer<std::uint32_t> busy_percent() const override { return answers_.busy; }
  Answer<std::uint64_t> memory_total() const override { return 2U << 30U; }
  Answer<std::uint64_t> memory_used() const override { return answers_.used; }
  Answer<std::uint64_t> pci_id() const override { return 0; }

 private:
  const Answers& answers_;
};

class GpuProbeTest : public testing::Test {
 protected:
  GpuProbeTest() : probe_(std::make_unique<ScriptedGpu>(answers_), sensors()) {}

  static std::vector<SensorInfo> sensors() {
    std::vector<SensorInfo> sensors(3);
    sensors[1].quantity = Quantity::utilization;
    sensors[2].quantity = Quantity::memory_used;
    return sensors;
  }
  tl::expected<std::int64_t, ReadFault> value(std::size_t sensor) {
    std::array<Reading, 3> readings;
    probe_.read(MonoTime{}, readings);
    return readings[sensor].value;
  }

  Answers answers_;
  GpuProbe probe_;
};

TEST_F(GpuProbeTest, ShowsMicrojoulesMillionthsAndBytes) {
  EXPECT_EQ(value(0), 1'000'000);
  EXPECT_EQ(value(1), 400'000);
  EXPECT_EQ(value(2), 1 << 30);
  EXPECT_TRUE(probe_.may_hang());
}

TEST_F(GpuProbeTest, AFailedCallIsAFaultOfItsSensorAlone) {
  answers_.energy = tl::unexpected(CallFault::failed);
  EXPECT_EQ(value(0), tl::unexpected(ReadFault::unreadable));
  EXPECT_EQ(value(1), 400'000);
  answers_.busy = tl::unexpected(CallFault::unsupported);
  answers_.used = tl::unexpected(CallFault::failed);
  EXPECT_EQ(value(1), tl::unexpected(ReadFault::unreadable));
  EXPECT_EQ(value(2), tl::unexpected(ReadFault::unreadable));
  answers_ = {};
  EXPECT_EQ(value(0), 1'000'000);
}

TEST_F(GpuProbeTest, WhatCannotBeTrueIsGarbage) {
  answers_.energy = EnergyCount{UINT64_MAX - 1, 15.259F};
  answers_.busy = 0xffff;
  answers_.used = UINT64_MAX;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(value(i), tl::unexpected(ReadFault::garbage));
}

TEST_F(GpuProbeTest, AsksForNoMemory) {
  Discovery found;
  found.probes.push_back(
      std::make_unique<GpuProbe>(std::make_unique<ScriptedGpu>(answers_), sensors()));
  EXPECT_EQ(testing_support::allocations_of_reading(found), 0);
  answers_.energy = tl::unexpected(CallFault::failed);
  EXPECT_EQ(testing_support::allocations_of_reading(found), 0);
}

TEST_F(GpuProbeTest, TheUnitIsThatOfTheFirstAnswerThatHasOne) {
  answers_.energy = EnergyCount{65'536, 0};
  EXPECT_EQ(value(0), tl::unexpected(ReadFault::garbage));
  answers_.energy = EnergyCount{65'536, 15.3F};
  EXPECT_EQ(value(0), 1'000'000);
  answers_.energy = EnergyCount{131'072, 0};  // a later slip changes nothing
  EXPECT_EQ(value(0), 2'000'000);
}

}  // namespace
}  // namespace codecarbon::amdsmi
