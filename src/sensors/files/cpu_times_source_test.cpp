#include "sensors/files/cpu_times_source.hpp"

#include <gtest/gtest.h>

#include "host/machine_copy.hpp"

namespace codecarbon {
namespace {

using std::chrono::milliseconds;
using testing_support::machine;
using testing_support::MachineCopy;

class CpuTimesSourceTest : public testing::Test {
 protected:
  OpenedTimes open(const ResourceLimits& limits) const {
    return open_cpu_times(copy_.host(clock_), limits).value();
  }

  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>();
  MachineCopy copy_{machine("container-big-host")};
};

TEST_F(CpuTimesSourceTest, AGroupsTimeIsSetAgainstWhatItMayUse) {
  ResourceLimits limits;
  limits.processors = 2.5;
  limits.cpu_time_file = "/sys/fs/cgroup/cpu.stat";
  const OpenedTimes opened = open(limits);
  EXPECT_EQ(opened.first, (CpuTimes{1'000'000'000, 0}));
  EXPECT_EQ(opened.description, (copy_.root() / "sys/fs/cgroup/cpu.stat").string());
  clock_->advance(milliseconds(100));
  copy_.write("sys/fs/cgroup/cpu.stat", "usage_usec 1050000\n");
  EXPECT_EQ(opened.source->read(clock_->now()).value(), (CpuTimes{1'050'000'000, 250'000'000}));
}

TEST_F(CpuTimesSourceTest, AGroupThatDoesNotTellLeavesTheProcessorsAndTheyTheMachine) {
  ResourceLimits limits;
  limits.processors = 2;
  limits.cpu_time_file = "/sys/fs/cgroup/cpu.stat";
  limits.processor_list = CpuList::parse("126-127");
  copy_.write("sys/fs/cgroup/cpu.stat", "nr_periods 0\n");
  EXPECT_EQ(open(limits).first.busy, 2 * 25'120);
  limits.processor_list = CpuList::parse("200");
  EXPECT_EQ(open(limits).first.busy, 128 * 25'120);
  limits = {};
  EXPECT_EQ(open(limits).first.busy, 128 * 25'120);
}

TEST_F(CpuTimesSourceTest, NumbersMayGrow) {
  ResourceLimits limits;
  limits.processors = 128;
  limits.processor_list = CpuList::parse("0-127");
  const OpenedTimes opened = open(limits);
  std::string stat = "cpu  1 1 1 1\n";
  for (int cpu = 0; cpu < 128; ++cpu) {
    stat += "cpu" + std::to_string(cpu) + " 2000000000 10000 500000000 18000000000 500 0 2000 0\n";
  }
  copy_.write("proc/stat", stat + "intr 1\n");
  EXPECT_EQ(opened.source->read(clock_->now())->busy, 128 * 2'500'012'000LL);
}

TEST_F(CpuTimesSourceTest, WhatCannotBeReadIsAFaultAndAMissingFileAnError) {
  const OpenedTimes machine_wide = open({});
  copy_.write("proc/stat", "");
  EXPECT_EQ(machine_wide.source->read(clock_->now()).error(), ReadFault::empty);
  copy_.write("proc/stat", "garbage");
  EXPECT_EQ(machine_wide.source->read(clock_->now()).error(), ReadFault::garbage);
  EXPECT_NE(open_cpu_times(copy_.host(), {}).error().message.find("proc/stat"), std::string::npos);
  copy_.remove("proc/stat");
  EXPECT_NE(open_cpu_times(copy_.host(), {}).error().message.find("proc/stat"), std::string::npos);
}

}  // namespace
}  // namespace codecarbon
