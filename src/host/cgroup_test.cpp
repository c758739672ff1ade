#include "host/cgroup.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "host/machine_copy.hpp"

namespace codecarbon {
namespace {

using testing_support::MachineCopy;

/// A version 2 hierarchy whose root is mounted, and a process in /a/b/c.
class CgroupTest : public testing::Test {
 protected:
  CgroupTest() {
    machine_.write("proc/self/cgroup", "0::/a/b/c\n");
    machine_.write("proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  }
  void write(const std::string& path, std::string_view text) const {
    machine_.write("sys/fs/cgroup/" + path, text);
  }
  Host host() const { return machine_.host(); }
  Cgroups groups() const { return find_cgroups(host()); }
  std::optional<double> quota() const {
    const auto limit = least_quota(host(), groups());
    return limit ? std::optional(limit->value) : std::nullopt;
  }
  std::optional<std::int64_t> memory() const {
    const auto limit = least_memory(host(), groups());
    return limit ? std::optional(limit->value) : std::nullopt;
  }

  MachineCopy machine_;
};

/// Version 1, the controllers apart, a process in /a/b.
class CgroupV1Test : public CgroupTest {
 protected:
  CgroupV1Test() {
    machine_.write("proc/self/cgroup", "3:cpuset:/a/b\n2:cpu,cpuacct:/a/b\n1:memory:/a/b\n");
    machine_.write("proc/self/mountinfo",
                   "31 23 0:1 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
                   "32 23 0:2 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
                   "33 23 0:3 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n");
  }
};

TEST_F(CgroupTest, TheLeastQuotaOfAllAncestorsCounts) {
  EXPECT_EQ(quota(), std::nullopt);
  write("a/b/c/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), std::nullopt);
  write("a/b/cpu.max", "50000 100000\n");
  write("a/cpu.max", "400000 100000\n");
  EXPECT_EQ(quota(), 0.5);
  write("a/b/c/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 0.5) << "a child cannot have more than its parent";
  write("a/cpu.max", "10000 100000\n");
  EXPECT_EQ(quota(), 0.1);
  const auto limit = least_quota(host(), groups()).value();
  EXPECT_EQ(limit.file, "/sys/fs/cgroup/a/cpu.max");
  EXPECT_EQ(limit.level, 2U);
}

TEST_F(CgroupTest, NoLimitIsAboveWhatAnyAncestorAllows) {
  EXPECT_TRUE(rc::check([this] {
    const auto bytes = *rc::gen::container<std::vector<int>>(4, rc::gen::inRange(0, 1000));
    const char* const folders[] = {"a/b/c", "a/b", "a", "."};
    int least = 1000;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string file = std::string(folders[i]) + "/memory.max";
      write(file, bytes[i] == 0 ? "max\n" : std::to_string(bytes[i]) + "\n");
      if (bytes[i] > 0) least = std::min(least, bytes[i]);
    }
    const auto limit = memory();
    RC_ASSERT(limit.value_or(1000) == least);
  }));
}

TEST_F(CgroupTest, OnlyTheHardLimitOfMemoryIsOne) {
  write("a/b/c/memory.high", "1000\n");
  EXPECT_EQ(memory(), std::nullopt);
  for (const char* text : {"max\n", "", "0", "-1", "1e9", "99999999999999999999"}) {
    write("a/b/c/memory.max", text);
    EXPECT_EQ(memory(), std::nullopt) << text;
  }
}

TEST_F(CgroupTest, TheProcessorsAreThoseOfTheNearestGroupThatHasAList) {
  EXPECT_EQ(allowed_processors(host(), groups()), std::nullopt);
  write("a/cpuset.cpus.effective", "0-7\n");
  EXPECT_EQ(allowed_processors(host(), groups())->value.count(), 8);
  write("a/b/c/cpuset.cpus", "\n");
  EXPECT_EQ(allowed_processors(host(), groups())->value.count(), 8) << "empty: the parent's";
  write("a/b/cpuset.cpus.effective", "2-3\n");
  EXPECT_EQ(allowed_processors(host(), groups())->file, "/sys/fs/cgroup/a/b/cpuset.cpus.effective");
}

TEST_F(CgroupTest, TellsTimeAndMemoryOfTheGroupThatIsAsked) {
  write("a/b/cpu.stat", "usage_usec 1500\nuser_usec 1000\n");
  write("a/b/memory.current", "4096\n");
  const Cgroups found = groups();
  EXPECT_EQ(cpu_time_file(host(), found, *found.cpu, 1), "/sys/fs/cgroup/a/b/cpu.stat");
  EXPECT_EQ(cpu_time_file(host(), found, *found.cpu, 0), std::nullopt);
  EXPECT_EQ(memory_files(host(), found, 1)->usage, "/sys/fs/cgroup/a/b/memory.current");
  EXPECT_EQ(memory_files(host(), found, 0), std::nullopt);
  EXPECT_EQ(memory_files(host(), found, 9), std::nullopt);
  EXPECT_EQ(level_named(*found.cpu, "b"), 1U);
  EXPECT_EQ(level_named(*found.cpu, "cgroup"), std::nullopt)
      << "the mount point is no group's name";
}

TEST_F(CgroupV1Test, MinusOneIsNoQuota) {
  write("cpu/a/b/cpu.cfs_quota_us", "-1\n");
  write("cpu/a/b/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), std::nullopt);
  write("cpu/a/cpu.cfs_quota_us", "150000\n");
  EXPECT_EQ(quota(), std::nullopt) << "no period";
  write("cpu/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 1.5);
}

TEST_F(CgroupV1Test, KnowsLimitsOfAncestorsThatItCannotSee) {
  write("memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(memory(), 9223372036854771712LL);
  write("memory/a/b/memory.stat", "cache 1\nhierarchical_memory_limit 5000\n");
  EXPECT_EQ(memory(), 5000);
  write("memory/a/memory.limit_in_bytes", "4000\n");
  EXPECT_EQ(memory(), 4000);
}

TEST_F(CgroupV1Test, ListsEffectiveProcessors) {
  write("cpuset/a/b/cpuset.cpus", "0-3\n");
  EXPECT_EQ(allowed_processors(host(), groups())->value.count(), 4);
  write("cpuset/a/b/cpuset.effective_cpus", "0-1\n");
  EXPECT_EQ(allowed_processors(host(), groups())->value.count(), 2);
}

TEST_F(CgroupV1Test, TheTimeIsThatOfTheSameGroupOrNobodys) {
  write("cpu/a/b/cpuacct.usage", "123456789\n");
  const Cgroups found = groups();
  EXPECT_EQ(cpu_time_file(host(), found, *found.cpuset, 0), "/sys/fs/cgroup/cpu/a/b/cpuacct.usage");
  machine_.write("proc/self/cgroup", "3:cpuset:/x/b\n2:cpu,cpuacct:/a/b\n");
  const Cgroups apart = groups();
  EXPECT_EQ(cpu_time_file(host(), apart, *apart.cpuset, 0), std::nullopt);
}

TEST(CgroupText, AQuotaIsAPositiveShareOfAPeriod) {
  EXPECT_EQ(parse_cpu_max("400000 100000\n"), 4.0);
  EXPECT_EQ(parse_cpu_max("50000 100000"), 0.5);
  for (const char* text : {"", "max 100000", "max", "100000", "0 100000", "-1 100000", "1 0",
                           "1 -1", "1 1 1", "1.5 1", "99999999999999999999 1"}) {
    EXPECT_EQ(parse_cpu_max(text), std::nullopt) << text;
  }
}

TEST(CgroupText, TimesAreNanoseconds) {
  EXPECT_EQ(parse_cgroup_cpu_time("usage_usec 12\nuser_usec 5\n"), 12000);
  EXPECT_EQ(parse_cgroup_cpu_time("core_sched 1\nusage_usec 12\n"), 12000);
  EXPECT_EQ(parse_cgroup_cpu_time("12345\n"), 12345);
  for (const char* text : {"", "-5", "user_usec 5\n", "usage_usec\n", "usage_usec -1\n",
                           "usage_usec 9223372036854775807\n"}) {
    EXPECT_EQ(parse_cgroup_cpu_time(text), std::nullopt) << text;
  }
}

TEST(CgroupText, AnyTextIsANumberInRangeOrNothing) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    for (const char* before : {"", "usage_usec ", "100000 "}) {
      const auto quota = parse_cpu_max(before + text);
      RC_ASSERT(quota.value_or(1) > 0);
      const auto time = parse_cgroup_cpu_time(before + text);
      RC_ASSERT(time.value_or(0) >= 0);
      const auto value = flat_value(before + text, "usage_usec");
      RC_ASSERT(value.value_or(0) >= 0);
    }
  }));
}

TEST(Cgroup, NoControlGroupsNoLimit) {
  const MachineCopy bare;
  const Cgroups groups = find_cgroups(bare.host());
  EXPECT_EQ(least_quota(bare.host(), groups), std::nullopt);
  EXPECT_EQ(allowed_processors(bare.host(), groups), std::nullopt);
  EXPECT_EQ(least_memory(bare.host(), groups), std::nullopt);
  EXPECT_EQ(memory_files(bare.host(), groups, 0), std::nullopt);
}

}  // namespace
}  // namespace codecarbon
