#include "sensors/modelled/modelled.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "embedded/cpu_rated_power.hpp"
#include "host/machine_copy.hpp"
#include "host/machine_facts.hpp"
#include "sensors/modelled/memory_model.hpp"
#include "sensors/modelled/rated_power.hpp"

namespace codecarbon::modelled {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing_support::machine;
using testing_support::MachineCopy;

class ModelledTest : public testing::Test {
 protected:
  void discover_on(std::string_view name, const SensorSettings& settings = {}) {
    copy_ = std::make_unique<MachineCopy>(machine(name));
    found_ = discover(copy_->host(clock_), settings);
  }
  const SensorInfo* sensor(DomainKind kind, Quantity quantity) const {
    for (const auto& probe : found_.probes) {
      for (const auto& info : probe->sensors()) {
        if (info.domain.kind == kind && info.quantity == quantity) return &info;
      }
    }
    return nullptr;
  }
  Reading read(DomainKind kind, Quantity quantity) {
    std::optional<Reading> result;
    for (const auto& probe : found_.probes) {
      std::vector<Reading> readings(probe->sensors().size());
      probe->read(clock_->now(), readings);
      for (std::size_t i = 0; i < readings.size(); ++i) {
        const auto& info = probe->sensors()[i];
        if (info.domain.kind == kind && info.quantity == quantity) result = readings[i];
      }
    }
    return result.value();
  }
  std::int64_t value(DomainKind kind, Quantity quantity) {
    return read(kind, quantity).value.value();
  }
  /// What the processors of the machine draw.
  PowerCurve curve() const {
    return rate(read_cpu_identity(copy_->host(clock_)), embedded::cpu_rated_power).curve;
  }
  std::int64_t cpu_uj() { return value(DomainKind::cpu, Quantity::energy); }
  void stat(int busy, int idle) const {
    copy_->write("proc/stat",
                 "cpu  " + std::to_string(busy) + " 0 0 " + std::to_string(idle) + "\n");
  }

  void fit_modules(int count) const {
    for (int slot = 0; slot < count; ++slot) {
      const auto folder = "sys/devices/system/edac/mc/mc0/dimm" + std::to_string(slot);
      copy_->write(folder + "/size", 16384);
      copy_->write(folder + "/dimm_mem_type", "Registered-DDR4\n");
    }
  }

  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>();
  std::unique_ptr<MachineCopy> copy_;
  Discovery found_;
};

TEST_F(ModelledTest, TheEnergyIsThePowerAtTheLoadOfEachWindow) {
  discover_on("xeon-2s-dram");
  stat(0, 0);  // time goes backwards: starts anew
  clock_->advance(milliseconds(100));
  const std::int64_t before = cpu_uj();
  std::int64_t expected = before;
  clock_->advance(seconds(1));
  stat(100, 300);
  // The window reaches back over the restart, whose load nobody knows.
  expected = (curve().at(0.25) * milliseconds(1100)).uj();
  EXPECT_EQ(cpu_uj(), std::max(expected, before));
  EXPECT_EQ(value(DomainKind::cpu, Quantity::utilization), 250'000);
  clock_->advance(seconds(2));
  stat(300, 300);
  expected += (curve().at(1.0) * seconds(2)).uj();
  EXPECT_NEAR(static_cast<double>(cpu_uj()), static_cast<double>(expected), 1);
  EXPECT_EQ(value(DomainKind::cpu, Quantity::utilization), 1'000'000);
}

TEST_F(ModelledTest, ReadingsWithinAWindowUseTheLastLoadAndTouchNoFile) {
  discover_on("xeon-2s-dram");
  clock_->advance(milliseconds(100));
  EXPECT_EQ(read(DomainKind::cpu, Quantity::utilization).value.error(), ReadFault::empty)
      << "no tick has passed";
  stat(2'000'000, 4'000'000);
  clock_->advance(milliseconds(100));
  const auto load = value(DomainKind::cpu, Quantity::utilization);
  const auto energy = cpu_uj();
  copy_->write("proc/stat", "broken");
  clock_->advance(milliseconds(99));
  EXPECT_EQ(value(DomainKind::cpu, Quantity::utilization), load);
  EXPECT_GT(cpu_uj(), energy);
  clock_->advance(milliseconds(1));
  EXPECT_EQ(read(DomainKind::cpu, Quantity::energy).value.error(), ReadFault::garbage);
}

TEST_F(ModelledTest, AnUnreadableStretchIsMadeUpForByTheNextWindow) {
  discover_on("xeon-2s-dram");
  stat(0, 0);
  clock_->advance(seconds(1));
  cpu_uj();
  copy_->write("proc/stat", "");
  clock_->advance(seconds(5));
  EXPECT_EQ(read(DomainKind::cpu, Quantity::energy).value.error(), ReadFault::empty);
  stat(1000, 0);
  clock_->advance(seconds(4));
  EXPECT_EQ(cpu_uj(), (curve().at(1.0) * seconds(10)).uj());
}

TEST_F(ModelledTest, AStretchShorterThanATickIsGivenTheLoadSinceBoot) {
  discover_on("one-socket");
  clock_->advance(milliseconds(1));
  const double load = 25120.0 / (25120 + 180050);
  EXPECT_EQ(cpu_uj(), (curve().at(load) * milliseconds(1)).uj());
}

TEST_F(ModelledTest, TheClockOfTheCoresCountsWhereItCanBeRead) {
  copy_ = std::make_unique<MachineCopy>(machine("one-socket"));
  copy_->write("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  const std::string clock = "sys/devices/system/cpu/cpufreq/policy0/scaling_cur_freq";
  const double base_khz = *read_cpu_identity(copy_->host(clock_)).base_ghz * 1e6;
  copy_->write(clock, std::llround(base_khz / 2));
  found_ = discover(copy_->host(clock_), {});
  stat(0, 0);
  clock_->advance(seconds(1));
  cpu_uj();
  stat(50, 50);
  clock_->advance(seconds(1));
  EXPECT_EQ(cpu_uj(), (curve().at(0.5, 0.5) * seconds(2)).uj());
}

TEST_F(ModelledTest, ModelsSayThatTheyAreModels) {
  discover_on("xeon-2s-dram");
  const SensorInfo& cpu = *sensor(DomainKind::cpu, Quantity::energy);
  EXPECT_EQ(cpu.method, Method::modelled);
  EXPECT_GT(cpu.relative_bound, 0);
  EXPECT_NE(cpu.source.find("2 x Intel(R) Xeon(R) Gold 5222"), std::string::npos) << cpu.source;
  const SensorInfo& ram = *sensor(DomainKind::ram, Quantity::energy);
  EXPECT_EQ(ram.method, Method::modelled);
  EXPECT_GT(ram.relative_bound, 0);
  const std::int64_t start = value(DomainKind::ram, Quantity::energy);
  clock_->advance(seconds(10));
  EXPECT_EQ(value(DomainKind::ram, Quantity::energy) - start,
            (memory_power(196608000LL * 1024) * seconds(10)).uj());
}

TEST_F(ModelledTest, MemoryIsRatedByItsModulesWhereTheyAreKnown) {
  copy_ = std::make_unique<MachineCopy>(machine("xeon-2s-dram"));
  fit_modules(12);
  found_ = discover(copy_->host(clock_), {});
  const SensorInfo& ram = *sensor(DomainKind::ram, Quantity::energy);
  EXPECT_NE(ram.source.find("12 modules"), std::string::npos) << ram.source;
  EXPECT_EQ(ram.relative_bound, kModulesBound);
}

TEST_F(ModelledTest, TheModulesOfAVirtualMachineAreFiction) {
  copy_ = std::make_unique<MachineCopy>(machine("cloud-vm"));
  fit_modules(2);
  found_ = discover(copy_->host(clock_), {});
  EXPECT_EQ(sensor(DomainKind::ram, Quantity::energy)->relative_bound, kMemorySizeBound);
}

TEST_F(ModelledTest, AForcedPowerIsConstantAndExact) {
  SensorSettings settings;
  settings.forced_cpu_power = Power::from_watts(42.5);
  settings.forced_ram_power = Power::from_watts(7);
  discover_on("vm-without-powercap", settings);
  for (const auto& [kind, watts] : {std::pair(DomainKind::cpu, 42.5), {DomainKind::ram, 7.0}}) {
    EXPECT_EQ(sensor(kind, Quantity::energy)->method, Method::forced);
    EXPECT_EQ(sensor(kind, Quantity::energy)->relative_bound, 0);
    const std::int64_t start = value(kind, Quantity::energy);
    clock_->advance(seconds(100));
    EXPECT_EQ(value(kind, Quantity::energy) - start, static_cast<std::int64_t>(watts * 1e8));
  }
  EXPECT_NE(sensor(DomainKind::cpu, Quantity::utilization), nullptr);
  EXPECT_NE(sensor(DomainKind::ram, Quantity::memory_used), nullptr);
}

TEST_F(ModelledTest, WithForcedLoadAForcedPowerIsTheRatingThatTheLoadScales) {
  SensorSettings settings;
  settings.forced_cpu_power = Power::from_watts(100);
  settings.force_cpu_load = true;
  discover_on("vm-without-powercap", settings);
  EXPECT_EQ(sensor(DomainKind::cpu, Quantity::energy)->method, Method::modelled);
  stat(0, 0);
  clock_->advance(seconds(1));
  cpu_uj();
  stat(50, 50);
  clock_->advance(seconds(1));
  const RatedPower forced =
      rate_as_forced(Power::from_watts(100), read_cpu_identity(copy_->host(clock_)));
  EXPECT_EQ(cpu_uj(), (forced.curve.at(0.5) * seconds(2)).uj());
}

TEST_F(ModelledTest, MissingIsNotZero) {
  copy_ = std::make_unique<MachineCopy>();
  found_ = discover(copy_->host(clock_), {});
  EXPECT_TRUE(found_.probes.empty());
  ASSERT_EQ(found_.findings.size(), 2U);
  for (const Finding& finding : found_.findings) {
    EXPECT_EQ(finding.outcome, Finding::Outcome::absent);
    EXPECT_NE(finding.reason, "");
    EXPECT_NE(finding.remedy, "");
  }
  SensorSettings settings;
  settings.forced_cpu_power = Power::from_watts(10);
  found_ = discover(copy_->host(clock_), settings);
  EXPECT_NE(sensor(DomainKind::cpu, Quantity::energy), nullptr) << "what is forced needs no /proc";
}

TEST_F(ModelledTest, UsedMemoryIsWhatIsNotAvailable) {
  discover_on("vm-without-powercap");
  EXPECT_EQ(value(DomainKind::ram, Quantity::memory_used), (8129536LL - 6000000) * 1024);
  EXPECT_EQ(sensor(DomainKind::ram, Quantity::memory_used)->memory_total, 8129536LL * 1024);
  copy_->write("proc/meminfo", "MemTotal: 100 kB\nMemFree: 10 kB\nBuffers: 20 kB\nCached: 30 kB\n");
  clock_->advance(milliseconds(100));
  EXPECT_EQ(value(DomainKind::ram, Quantity::memory_used), 40 * 1024) << "an old kernel";
  copy_->write("proc/meminfo", "MemTotal: 100 kB\nMemAvailable: 200 kB\n");
  clock_->advance(milliseconds(100));
  EXPECT_EQ(read(DomainKind::ram, Quantity::memory_used).value.error(), ReadFault::garbage);
}

}  // namespace
}  // namespace codecarbon::modelled
