/// A reading allocates nothing, be it good or not. Counts what this program allocates.

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <vector>

#include "sensors/nvml/nvml_fixture.hpp"

namespace {
thread_local std::size_t allocations = 0;
}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* block = std::malloc(size == 0 ? 1 : size)) return block;
  throw std::bad_alloc();
}

void operator delete(void* block) noexcept {
  std::free(block);
}

void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}

namespace codecarbon::nvml {
namespace {

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
    const auto before = allocations;
    probe->read(MonoTime{}, std::span(readings).first(probe->sensors().size()));
    EXPECT_EQ(allocations, before);
  }
  ASSERT_GT(allocations, 0U) << "they are counted";
  for (int i = 1; i < 80; ++i) {
    const Duration t = std::chrono::milliseconds(100) * i;
    machine.set_time(t);
    const auto before = allocations;
    for (const auto& probe : found.probes) {
      probe->read(MonoTime(t), std::span(readings).first(probe->sensors().size()));
    }
    EXPECT_EQ(allocations, before) << i;
  }
}

}  // namespace
}  // namespace codecarbon::nvml
