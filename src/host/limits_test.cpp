#include "host/limits.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "host/machine_copy.hpp"

namespace codecarbon {
namespace {

using testing_support::machine;
using testing_support::MachineCopy;
using Variables = std::map<std::string, std::string, std::less<>>;

constexpr std::int64_t kGigabyte = 1024LL * 1024 * 1024;

ResourceLimits limits_of(const std::filesystem::path& root, Variables variables = {}) {
  variables.emplace("PATH", "/usr/bin:/bin");
  return read_limits(
      Host(root, Environment(std::move(variables)), std::make_shared<SystemClock>()));
}

std::string below(const std::filesystem::path& root, std::string_view path) {
  return (root / path).string();
}

TEST(Limits, AContainerOnABigHost) {
  const auto root = machine("container-big-host");
  const ResourceLimits limits = limits_of(root);
  EXPECT_EQ(limits.processors, 4.0);
  EXPECT_EQ(limits.processors_source,
            "cgroup quota of 4 processors (" + below(root, "sys/fs/cgroup/cpu.max") + ")");
  EXPECT_EQ(limits.memory_bytes, 100 * kGigabyte);
  EXPECT_EQ(limits.memory_source,
            "cgroup memory of 100 GiB (" + below(root, "sys/fs/cgroup/memory.max") + ")");
  EXPECT_EQ(limits.cpu_time_file, "/sys/fs/cgroup/cpu.stat");
  EXPECT_EQ(limits.memory_files->usage, "/sys/fs/cgroup/memory.current");
}

TEST(Limits, TheSameInVersionOne) {
  const ResourceLimits limits = limits_of(machine("container-cgroup-v1"));
  EXPECT_EQ(limits.processors, 4.0);
  EXPECT_EQ(limits.memory_bytes, 100 * kGigabyte);
  EXPECT_EQ(limits.cpu_time_file, "/sys/fs/cgroup/cpu,cpuacct/cpuacct.usage");
  EXPECT_EQ(limits.memory_files->reclaimable_key, "total_inactive_file");
}

TEST(Limits, OfNestedGroupsTheTightestCountsAndItsUseIsRead) {
  const ResourceLimits limits = limits_of(machine("kubernetes-pod-nested"));
  EXPECT_EQ(limits.processors, 6.0);
  EXPECT_EQ(limits.memory_bytes, 64 * kGigabyte);
  const std::string pod = "/sys/fs/cgroup/kubepods.slice/kubepods-pod7.slice";
  EXPECT_EQ(limits.cpu_time_file, pod + "/cpu.stat");
  EXPECT_EQ(limits.memory_files->usage, pod + "/memory.current");
}

TEST(Limits, MachinesWithoutLimitsHaveNone) {
  for (const char* name : {"xeon-2s-dram", "vm-without-powercap", "arm-server", "slurm-node"}) {
    const ResourceLimits limits = limits_of(machine(name));
    EXPECT_EQ(limits.processors, std::nullopt) << name;
    EXPECT_EQ(limits.memory_bytes, std::nullopt) << name;
    EXPECT_EQ(limits.cpu_time_file, std::nullopt) << name;
  }
  EXPECT_EQ(limits_of("/dev/null", {{"SLURM_JOB_ID", "1"}, {"SLURM_CPUS_ON_NODE", "4"}}).processors,
            std::nullopt)
      << "a part of what?";
}

TEST(Limits, ALimitAtOrAboveTheMachinesSizeIsNone) {
  const MachineCopy copy(machine("container-big-host"));
  copy.write("sys/fs/cgroup/cpu.max", "12800000 100000\n");
  copy.write("sys/fs/cgroup/memory.max", std::to_string(1024 * kGigabyte) + "\n");
  EXPECT_EQ(limits_of(copy.root()).processors, std::nullopt);
  EXPECT_EQ(limits_of(copy.root()).memory_bytes, std::nullopt);
  copy.write("sys/fs/cgroup/cpu.max", "12790000 100000\n");
  EXPECT_EQ(limits_of(copy.root()).processors, 127.9);
}

TEST(Limits, ACpusetNamesItsProcessors) {
  const MachineCopy copy(machine("container-big-host"));
  copy.write("sys/fs/cgroup/cpu.max", "max 100000\n");
  copy.write("sys/fs/cgroup/cpuset.cpus.effective", "8-15,200\n");
  const ResourceLimits limits = limits_of(copy.root());
  EXPECT_EQ(limits.processors, 8.0) << "processor 200 is not online";
  EXPECT_EQ(limits.processor_list, CpuList::parse("8-15"));
  EXPECT_EQ(limits.cpu_time_file, "/sys/fs/cgroup/cpu.stat");
  EXPECT_NE(limits.processors_source.find("cgroup cpuset of 8 processors"), std::string::npos);
}

TEST(Limits, AnAffinityNamesItsProcessors) {
  const MachineCopy copy(machine("slurm-node"));
  copy.write("proc/self/status", "Name:\tx\nCpus_allowed_list:\t4-7\nMems_allowed_list:\t0\n");
  const ResourceLimits limits = limits_of(copy.root());
  EXPECT_EQ(limits.processors, 4.0);
  EXPECT_EQ(limits.processor_list, CpuList::parse("4-7"));
  EXPECT_EQ(limits.cpu_time_file, std::nullopt);
}

TEST(Limits, AThreadThatOpenMpBoundIsNotTheProcess) {
  const MachineCopy copy(machine("slurm-node"));
  copy.write("proc/self/status", "Cpus_allowed_list:\t0\n");
  EXPECT_EQ(limits_of(copy.root(), {{"OMP_PROC_BIND", "close"}}).processors, std::nullopt);
  EXPECT_EQ(limits_of(copy.root(), {{"KMP_AFFINITY", "granularity=fine,compact"}}).processors,
            std::nullopt);
  EXPECT_EQ(limits_of(copy.root(), {{"OMP_PLACES", "cores"}}).processors, std::nullopt);
  EXPECT_EQ(
      limits_of(copy.root(), {{"OMP_PLACES", "cores"}, {"OMP_PROC_BIND", "FALSE"}}).processors,
      1.0);
  EXPECT_EQ(limits_of(copy.root(), {{"KMP_AFFINITY", "disabled"}}).processors, 1.0);
}

TEST(Limits, ASlurmJobByItsVariablesAndItsGroup) {
  const ResourceLimits limits = limits_of(
      machine("slurm-node"),
      {{"SLURM_JOB_ID", "4711"}, {"SLURM_CPUS_ON_NODE", "12"}, {"SLURM_MEM_PER_CPU", "1000"}});
  EXPECT_EQ(limits.processors, 12.0);
  EXPECT_EQ(limits.processors_source, "Slurm job 4711: 12 processors");
  EXPECT_EQ(limits.memory_bytes, 12000LL * 1024 * 1024);
  const std::string group = "/sys/fs/cgroup/system.slice/slurmstepd.scope/job_4711";
  EXPECT_EQ(limits.cpu_time_file, group + "/cpu.stat");
  EXPECT_EQ(limits.memory_files->usage, group + "/memory.current");
}

TEST(Limits, WhatTheVariablesDoNotSayScontrolDoes) {
  const auto root = machine("slurm-node");
  const ResourceLimits limits =
      limits_of(root, {{"SLURM_JOB_ID", "4711"}, {"SLURM_CPUS_ON_NODE", "12"}});
  EXPECT_EQ(limits.processors, 12.0);
  EXPECT_EQ(limits.memory_bytes, 62 * kGigabyte + kGigabyte / 2);
  EXPECT_EQ(limits_of(root, {{"SLURM_JOB_ID", "4711"}}).processors, 16.0);
}

TEST(Limits, ScontrolIsNotAskedForWhatIsKnown) {
  const MachineCopy copy(machine("slurm-node"));
  copy.write("usr/bin/scontrol", "#!/bin/sh\ntouch $(dirname $0)/ran\n");
  const auto ran = [&] { return std::filesystem::exists(copy.root() / "usr/bin/ran"); };
  limits_of(copy.root());
  limits_of(
      copy.root(),
      {{"SLURM_JOB_ID", "4711"}, {"SLURM_CPUS_ON_NODE", "12"}, {"SLURM_MEM_PER_NODE", "1000"}});
  copy.write("sys/fs/cgroup/system.slice/slurmstepd.scope/job_4711/memory.max", "1000000000\n");
  limits_of(copy.root(), {{"SLURM_JOB_ID", "4711"}, {"SLURM_CPUS_ON_NODE", "12"}});
  EXPECT_FALSE(ran());
  limits_of(copy.root(), {{"SLURM_JOB_ID", "4711"}});
  EXPECT_TRUE(ran());
}

TEST(Limits, TheLeastOfAllCounts) {
  EXPECT_TRUE(rc::check([] {
    const MachineCopy copy(machine("container-big-host"));
    const int quota = *rc::gen::inRange(1, 200);
    const int cpuset = *rc::gen::inRange(1, 129);
    const int affinity = *rc::gen::inRange(1, 129);
    const int slurm = *rc::gen::inRange(1, 200);
    copy.write("sys/fs/cgroup/cpu.max", std::to_string(quota * 100000) + " 100000\n");
    copy.write("sys/fs/cgroup/cpuset.cpus.effective", "0-" + std::to_string(cpuset - 1));
    copy.write("proc/self/status", "Cpus_allowed_list:\t0-" + std::to_string(affinity - 1) + "\n");
    const ResourceLimits limits =
        limits_of(copy.root(), {{"SLURM_JOB_ID", "1"},
                                {"SLURM_CPUS_ON_NODE", std::to_string(slurm)},
                                {"SLURM_MEM_PER_NODE", "1"}});
    const int least = std::min({quota, cpuset, affinity, slurm, 128});
    RC_ASSERT(limits.processors.value_or(128) == least);
    RC_ASSERT(limits.processors.has_value() == !limits.processors_source.empty());
  }));
}

TEST(Limits, WhateverOneFileHoldsTheOthersCount) {
  const char* const files[] = {
      "proc/self/cgroup",          "proc/self/mountinfo",          "proc/self/status",
      "sys/fs/cgroup/cpu.max",     "sys/fs/cgroup/memory.max",     "sys/fs/cgroup/cpu.stat",
      "sys/fs/cgroup/memory.stat", "sys/fs/cgroup/memory.current", "sys/devices/system/cpu/online"};
  const std::string contents[] = {
      "", "\n", "garbage", std::string(5'000'000, '9'), std::string(1000, '\0'), "-1 -1\n"};
  for (const char* file : files) {
    const MachineCopy copy(machine("container-big-host"));
    for (const std::string& content : contents) {
      copy.write(file, content);
      const ResourceLimits limits = limits_of(copy.root());
      if (limits.processors) {
        EXPECT_EQ(limits.processors, 4.0) << file;
      }
      if (limits.memory_bytes) {
        EXPECT_EQ(limits.memory_bytes, 100 * kGigabyte) << file;
      }
    }
    copy.remove(file);
    std::filesystem::create_directories(copy.root() / file);
    limits_of(copy.root());
  }
}

}  // namespace
}  // namespace codecarbon
