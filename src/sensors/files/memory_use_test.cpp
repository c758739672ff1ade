#include "sensors/files/memory_use.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "host/machine_copy.hpp"

namespace codecarbon {
namespace {

using testing_support::machine;
using testing_support::MachineCopy;

OpenedMemory open(const MachineCopy& copy) {
  return open_memory(copy.host(), read_limits(copy.host())).value();
}

TEST(MemoryUse, AGroupUsesWhatCannotBeDropped) {
  EXPECT_EQ(group_memory_used("1000\n", "anon 1\ninactive_file 300\n", "inactive_file"), 700);
  EXPECT_EQ(group_memory_used("1000\n", "total_inactive_file 300\n", "inactive_file"), 1000);
  EXPECT_EQ(group_memory_used("1000\n", "", "inactive_file"), 1000);
  EXPECT_EQ(group_memory_used("100\n", "inactive_file 300\n", "inactive_file"), 0)
      << "the two were not read at once";
  EXPECT_EQ(group_memory_used("max\n", "", "inactive_file"), std::nullopt);
  EXPECT_EQ(group_memory_used("-5\n", "", "inactive_file"), std::nullopt);
}

TEST(MemoryUse, AnyTextIsAnAmountOrNothing) {
  EXPECT_TRUE(rc::check([](const std::string& usage, const std::string& stat) {
    RC_ASSERT(group_memory_used(usage, "key " + stat, "key").value_or(0) >= 0);
    RC_ASSERT(group_memory_used("77", "key " + stat, "key").value_or(100) <= 77);
  }));
}

TEST(MemoryUse, IsThatOfTheGroupWithTheLimit) {
  for (const char* name : {"container-big-host", "container-cgroup-v1"}) {
    const OpenedMemory memory = open(MachineCopy(machine(name)));
    EXPECT_EQ(memory.total, 100LL * 1024 * 1024 * 1024) << name;
    EXPECT_EQ(memory.source->read().value(), 24'000'000'000) << name;
  }
  EXPECT_EQ(open(MachineCopy(machine("kubernetes-pod-nested"))).source->read().value(),
            36'000'000'000);
}

TEST(MemoryUse, AGroupThatDoesNotTellLeavesTheMachines) {
  const MachineCopy copy(machine("container-big-host"));
  copy.remove("sys/fs/cgroup/memory.current");
  const OpenedMemory memory = open(copy);
  EXPECT_EQ(memory.total, 1024LL * 1024 * 1024 * 1024) << "used and total are of the same thing";
  EXPECT_EQ(memory.source->read().value(), memory.total / 4);
}

TEST(MemoryUse, WhatCannotBeReadIsAFault) {
  const MachineCopy copy(machine("container-big-host"));
  const OpenedMemory memory = open(copy);
  copy.write("sys/fs/cgroup/memory.stat", "garbage");
  EXPECT_EQ(memory.source->read().value(), 30'000'000'000);
  copy.write("sys/fs/cgroup/memory.current", "");
  EXPECT_EQ(memory.source->read().error(), ReadFault::empty);
  copy.write("sys/fs/cgroup/memory.current", "lots");
  EXPECT_EQ(memory.source->read().error(), ReadFault::garbage);
}

}  // namespace
}  // namespace codecarbon
