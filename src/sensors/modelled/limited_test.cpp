// Models of a part of a machine: containers and jobs.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "embedded/cpu_rated_power.hpp"
#include "host/machine_copy.hpp"
#include "host/machine_facts.hpp"
#include "sensors/modelled/memory_model.hpp"
#include "sensors/modelled/modelled.hpp"
#include "sensors/modelled/power_model.hpp"
#include "sensors/modelled/share.hpp"

namespace codecarbon::modelled {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing_support::machine;
using testing_support::MachineCopy;
using Variables = std::map<std::string, std::string, std::less<>>;

constexpr std::int64_t kGigabyte = 1024LL * 1024 * 1024;

class LimitedTest : public testing::Test {
 protected:
  void discover_on(std::string_view name, Variables variables = {},
                   const SensorSettings& settings = {}) {
    copy_ = std::make_unique<MachineCopy>(machine(name));
    found_ = discover(Host(copy_->root(), Environment(std::move(variables)), clock_), settings);
  }
  const SensorInfo& sensor(DomainKind kind, Quantity quantity) const {
    for (const auto& probe : found_.probes) {
      for (const auto& info : probe->sensors()) {
        if (info.domain.kind == kind && info.quantity == quantity) return info;
      }
    }
    throw std::runtime_error("no such sensor");
  }
  std::int64_t value(DomainKind kind, Quantity quantity) {
    const SensorInfo& wanted = sensor(kind, quantity);
    for (const auto& probe : found_.probes) {
      std::vector<Reading> readings(probe->sensors().size());
      probe->read(clock_->now(), readings);
      for (std::size_t i = 0; i < readings.size(); ++i) {
        if (&probe->sensors()[i] == &wanted) return readings[i].value.value();
      }
    }
    throw std::runtime_error("no such sensor");
  }
  std::int64_t load() { return value(DomainKind::cpu, Quantity::utilization); }
  std::int64_t cpu_uj() { return value(DomainKind::cpu, Quantity::energy); }
  /// Joules over a second in which `path` goes on to show `text`.
  std::int64_t energy_of_a_second(std::string_view path, std::string_view text) {
    // A second of idling settles what was not known before.
    clock_->advance(seconds(1));
    const std::int64_t before = cpu_uj();
    clock_->advance(seconds(1));
    copy_->write(path, text);
    return cpu_uj() - before;
  }

  /// What so many of the 128 processors use in a second at that load.
  std::int64_t a_second_of(double processors, double load) {
    const RatedPower all = rate(read_cpu_identity(copy_->host()), embedded::cpu_rated_power);
    return (all.curve.scaled(processors / 128).at(load) * seconds(1)).uj();
  }

  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>();
  std::unique_ptr<MachineCopy> copy_;
  Discovery found_;
};

TEST_F(LimitedTest, AContainersProcessorsAreItsQuotaAtItsOwnLoad) {
  for (const auto& [name, file, text] :
       {std::tuple("container-big-host", "sys/fs/cgroup/cpu.stat", "usage_usec 4000000\n"),
        {"container-cgroup-v1", "sys/fs/cgroup/cpu,cpuacct/cpuacct.usage", "4000000000\n"}}) {
    discover_on(name);
    // 3 s of CPU time in a second of 4 processors, after a second of none.
    const std::int64_t used = energy_of_a_second(file, text);
    EXPECT_EQ(used, a_second_of(4, 0.75)) << name;
    EXPECT_EQ(load(), 750'000) << name;
  }
}

TEST_F(LimitedTest, WhatOthersDoOnTheHostDoesNotCount) {
  discover_on("container-big-host");
  clock_->advance(seconds(1));
  const std::int64_t before = cpu_uj();
  copy_->write("proc/stat", "cpu  999999999 0 0 999999999 0\n");
  clock_->advance(seconds(1));
  EXPECT_EQ(load(), 0);
  EXPECT_EQ(cpu_uj() - before, a_second_of(4, 0));
}

TEST_F(LimitedTest, MemoryIsTheContainersOwn) {
  for (const char* name : {"container-big-host", "container-cgroup-v1"}) {
    discover_on(name);
    const std::int64_t before = value(DomainKind::ram, Quantity::energy);
    clock_->advance(seconds(10));
    EXPECT_EQ(value(DomainKind::ram, Quantity::energy) - before,
              (memory_power(100 * kGigabyte) * seconds(10)).uj())
        << name;
    EXPECT_EQ(value(DomainKind::ram, Quantity::memory_used), 24'000'000'000) << name;
    EXPECT_EQ(sensor(DomainKind::ram, Quantity::memory_used).memory_total, 100 * kGigabyte);
    EXPECT_EQ(sensor(DomainKind::ram, Quantity::energy).memory_total, 100 * kGigabyte);
  }
}

TEST_F(LimitedTest, TheSourceNamesTheLimitAndTheBoundKnowsThatItIsAShare) {
  discover_on("container-big-host");
  const SensorInfo& cpu = sensor(DomainKind::cpu, Quantity::energy);
  EXPECT_NE(cpu.source.find("EPYC 9554"), std::string::npos) << cpu.source;
  EXPECT_NE(cpu.source.find("4 of 128 processors: cgroup quota"), std::string::npos) << cpu.source;
  EXPECT_EQ(cpu.relative_bound, 1.0);
  const SensorInfo& ram = sensor(DomainKind::ram, Quantity::energy);
  EXPECT_NE(ram.source.find("cgroup memory of 100 GiB"), std::string::npos) << ram.source;
  for (const Finding& finding : found_.findings) {
    EXPECT_EQ(finding.outcome, Finding::Outcome::found);
  }
}

TEST_F(LimitedTest, NestedGroupsAreMeasuredWhereTheLimitIs) {
  discover_on("kubernetes-pod-nested");
  const std::string pod = "sys/fs/cgroup/kubepods.slice/kubepods-pod7.slice/cpu.stat";
  EXPECT_EQ(energy_of_a_second(pod, "usage_usec 9000000\n"), a_second_of(6, 0.5));
}

TEST_F(LimitedTest, ASlurmJobsShareOfTheNode) {
  discover_on(
      "slurm-node",
      {{"SLURM_JOB_ID", "4711"}, {"SLURM_CPUS_ON_NODE", "16"}, {"SLURM_MEM_PER_NODE", "64000"}});
  const std::string group = "sys/fs/cgroup/system.slice/slurmstepd.scope/job_4711/cpu.stat";
  EXPECT_EQ(energy_of_a_second(group, "usage_usec 10000000\n"), a_second_of(16, 0.5));
  EXPECT_EQ(sensor(DomainKind::ram, Quantity::energy).memory_total, 64000LL * 1024 * 1024);
  EXPECT_EQ(value(DomainKind::ram, Quantity::memory_used), 8'000'000'000);
}

TEST_F(LimitedTest, AnAffinityIsMeasuredOnItsProcessors) {
  copy_ = std::make_unique<MachineCopy>(machine("slurm-node"));
  copy_->write("proc/self/status", "Cpus_allowed_list:\t2-3\n");
  found_ = discover(Host(copy_->root(), Environment{}, clock_), {});
  // All processors idle but for the two, which are busy half of the time.
  const auto stat = [](int busy, int idle, int others_idle) {
    std::string text = "cpu  1 1 1 1\n";
    for (int cpu = 0; cpu < 128; ++cpu) {
      const bool ours = cpu == 2 || cpu == 3;
      text += "cpu" + std::to_string(cpu) + " " + std::to_string(ours ? busy : 0) + " 0 0 " +
              std::to_string(ours ? idle : others_idle) + "\n";
    }
    return text + "intr 0\n";
  };
  copy_->write("proc/stat", stat(0, 0, 0));  // time goes backwards: starts anew
  clock_->advance(seconds(1));
  cpu_uj();
  copy_->write("proc/stat", stat(50, 50, 100));
  clock_->advance(seconds(1));
  EXPECT_EQ(load(), 500'000);
  EXPECT_NE(sensor(DomainKind::cpu, Quantity::energy).source.find("CPU affinity of 2 processors"),
            std::string::npos);
}

TEST_F(LimitedTest, APowerThatWasForcedStaysAsItIs) {
  SensorSettings settings;
  settings.forced_cpu_power = Power::from_watts(42);
  settings.forced_ram_power = Power::from_watts(7);
  discover_on("container-big-host", {}, settings);
  const std::int64_t before = cpu_uj();
  clock_->advance(seconds(10));
  EXPECT_EQ(cpu_uj() - before, 420'000'000);
  settings.force_cpu_load = true;
  discover_on("container-big-host", {}, settings);
  EXPECT_EQ(energy_of_a_second("sys/fs/cgroup/cpu.stat", "usage_usec 5000000\n"), 42'000'000);
}

TEST(Share, IsNeverMoreThanTheMachineAndGrowsWithTheLimit) {
  EXPECT_TRUE(rc::check([] {
    ProcessorFacts facts;
    facts.rated = Power::from_watts(*rc::gen::inRange(1, 1000));
    const RatedPower whole{PowerCurve(facts), 0.5, "rated"};
    const int logical = *rc::gen::inRange(0, 256);
    ResourceLimits limits;
    EXPECT_EQ(share_of(whole, logical, limits).curve.most(), whole.curve.most());
    const int quota = *rc::gen::inRange(1, 300);
    limits.processors = quota;
    const Power share = share_of(whole, logical, limits).curve.most();
    limits.processors = quota + 1;
    RC_ASSERT(share <= whole.curve.most());
    RC_ASSERT(share <= share_of(whole, logical, limits).curve.most());
  }));
}

}  // namespace
}  // namespace codecarbon::modelled
