#include "sensors/process/part_use.hpp"

#include <gtest/gtest.h>

#include "host/machine_copy.hpp"

namespace codecarbon::process {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing_support::machine;
using testing_support::MachineCopy;

class PartUseTest : public testing::Test {
 protected:
  PartUse of(const ResourceLimits& limits) { return PartUse(copy_.host(clock_), limits); }

  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>();
  MachineCopy copy_{machine("container-big-host")};
};

TEST_F(PartUseTest, WhatIsNotLimitedHasNoPart) {
  const PartUse part = of({});
  EXPECT_FALSE(part.cpu({}, {}, {}));
  EXPECT_FALSE(part.memory(0));
}

TEST_F(PartUseTest, AGroupTellsItsTimeToTheMicrosecond) {
  const PartUse part = of(read_limits(copy_.host(clock_)));
  copy_.write("sys/fs/cgroup/cpu.stat", "usage_usec 1500000\n");
  const auto totals = part.cpu(MonoTime(seconds(1)), milliseconds(400), milliseconds(40));
  ASSERT_TRUE(totals);
  EXPECT_EQ(totals->own, milliseconds(400));
  EXPECT_EQ(totals->own_error, milliseconds(40));
  EXPECT_EQ(totals->busy, milliseconds(1500));
  EXPECT_EQ(totals->capacity, seconds(4));
  EXPECT_LE(totals->busy_step, std::chrono::microseconds(1));
}

TEST_F(PartUseTest, WhereNobodyTellsThePartIsAsBusyAsAllAndTheErrorHasAllOfIt) {
  ResourceLimits limits;
  limits.processors = 32;  // of 128
  const auto totals = of(limits).cpu({}, milliseconds(400), {});
  ASSERT_TRUE(totals);
  EXPECT_EQ(totals->busy, milliseconds(10) * (128 * 25'120 / 4));
  EXPECT_GE(totals->own_error, totals->capacity);
}

TEST_F(PartUseTest, MemoryIsThatOfTheGroupElseInProportion) {
  ResourceLimits limits = read_limits(copy_.host(clock_));
  const auto group = of(limits).memory(1000);
  ASSERT_TRUE(group);
  EXPECT_EQ(group->own, 1000);
  EXPECT_EQ(group->total, limits.memory_bytes);
  EXPECT_NEAR(static_cast<double>(group->used), 24e9, 1);
  limits.memory_files.reset();
  const auto guess = of(limits).memory(INT64_MAX);
  EXPECT_EQ(guess->own, limits.memory_bytes);
  EXPECT_EQ(guess->used, guess->total) << "never less than the processes have";
}

TEST_F(PartUseTest, FilesThatGoBadAreUnknown) {
  const PartUse part = of(read_limits(copy_.host(clock_)));
  for (const char* garbage : {"", "x", "usage_usec", "max"}) {
    copy_.write("sys/fs/cgroup/cpu.stat", garbage);
    copy_.write("sys/fs/cgroup/memory.current", garbage);
    EXPECT_FALSE(part.cpu({}, {}, {})) << garbage;
    EXPECT_FALSE(part.memory(0)) << garbage;
  }
}

}  // namespace
}  // namespace codecarbon::process
