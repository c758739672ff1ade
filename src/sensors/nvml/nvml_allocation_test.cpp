/// A reading allocates nothing, be it good or not. Counts what this program allocates.

#include <gtest/gtest.h>

#include <vector>

#include "readings/allocations_fixture.hpp"
#include "sensors/nvml/nvml_fixture.hpp"

namespace codecarbon::nvml {
namespace {

using testing_support::allocations_so_far;

TEST(NvmlAllocation, NoReadingAllocates) {
  FakeMachine machine(R"({"gpus": [
      {"power_w": {"square": {"low_w": 80, "high_w": 640, "period_ms": 100}},
       "utilization_percent": 50, "memory": {"total_gib": 80, "used_gib": 12},
       "faults": [{"kind": "unreadable", "from_s": 2, "to_s": 3},
                  {"kind": "garbage", "from_s": 4, "to_s": 5}]},
      {"power_w": 26, "sensor": "power"}]})");
  const Discovery found = machine.discover();
  ASSERT_EQ(found.probes.size(), 2U);
  std::vector<Reading> readings(3);
  for (const auto& probe : found.probes) {
    const auto before = allocations_so_far();
    probe->read(MonoTime{}, std::span(readings).first(probe->sensors().size()));
    EXPECT_EQ(allocations_so_far(), before);
  }
  ASSERT_GT(allocations_so_far(), 0) << "they are counted";
  for (int i = 1; i < 80; ++i) {
    const Duration t = std::chrono::milliseconds(100) * i;
    machine.set_time(t);
    const auto before = allocations_so_far();
    for (const auto& probe : found.probes) {
      probe->read(MonoTime(t), std::span(readings).first(probe->sensors().size()));
    }
    EXPECT_EQ(allocations_so_far(), before) << i;
  }
}

}  // namespace
}  // namespace codecarbon::nvml
