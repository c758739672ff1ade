#include "sensors/gpu_hwmon/gpu_hwmon.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "host/machine_copy.hpp"
#include "readings/allocations_fixture.hpp"
#include "readings/metered_fixture.hpp"
#include "sensors/simulated/profile.hpp"

namespace codecarbon::gpu_hwmon {
namespace {

using simulated::energy_uj_until;
using simulated::Profile;
using std::chrono::milliseconds;
using testing_support::machine;
using testing_support::MachineCopy;
using testing_support::Metered;

Discovery look(const MachineCopy& copy) {
  return discover(copy.host(), {});
}

const SensorInfo& sensor(const Discovery& found, std::size_t number) {
  return found.probes.at(number)->sensors()[0];
}

long count(const Discovery& found, Finding::Outcome outcome) {
  return std::count_if(found.findings.begin(), found.findings.end(),
                       [&](const Finding& finding) { return finding.outcome == outcome; });
}

bool says(const Discovery& found, std::string_view words) {
  return std::any_of(found.findings.begin(), found.findings.end(), [&](const Finding& finding) {
    return finding.reason.find(words) != std::string::npos;
  });
}

TEST(GpuHwmon, IntelCardsHaveACounterEachAndGraphicsInProcessorsHasNone) {
  const MachineCopy copy(machine("intel-cards"));
  const Discovery found = look(copy);
  ASSERT_EQ(found.probes.size(), 3U);
  EXPECT_NE(sensor(found, 0).source.find("hwmon4/energy1_input"), std::string::npos);
  EXPECT_NE(sensor(found, 1).source.find("hwmon6/energy2_input"), std::string::npos);
  EXPECT_NE(sensor(found, 2).source.find("hwmon10/energy1_input"), std::string::npos);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(sensor(found, i).quantity, Quantity::energy);
    EXPECT_EQ(sensor(found, i).method, Method::measured);
    EXPECT_TRUE(found.probes[i]->may_hang());
  }
  EXPECT_EQ(sensor(found, 0).plausible_power, Power::from_watts(380));
  EXPECT_EQ(sensor(found, 1).plausible_power, SensorInfo{}.plausible_power);  // no limit is set
  EXPECT_EQ(count(found, Finding::Outcome::found), 3);
  EXPECT_TRUE(says(found, "inside a processor"));
}

TEST(GpuHwmon, TheChipIsNotCountedBesideItsCard) {
  const MachineCopy copy(machine("intel-cards"));
  const std::string xe = "sys/class/hwmon/hwmon10/";
  copy.write(xe + "energy1_label", "pkg\n");
  copy.write(xe + "energy2_label", "card\n");
  const Discovery found = look(copy);
  ASSERT_EQ(found.probes.size(), 3U);
  EXPECT_NE(sensor(found, 2).source.find("energy2_input"), std::string::npos);
}

TEST(GpuHwmon, RadeonCardsShowPowerAndTheProcessorsGraphicsIsPassedOver) {
  const MachineCopy copy(machine("radeon-workstation"));
  const Discovery found = look(copy);
  ASSERT_EQ(found.probes.size(), 2U);
  EXPECT_NE(sensor(found, 0).source.find("hwmon3/power1_input"), std::string::npos);
  EXPECT_NE(sensor(found, 1).source.find("hwmon2/power1_average"), std::string::npos);
  EXPECT_EQ(sensor(found, 0).quantity, Quantity::power);
  EXPECT_EQ(sensor(found, 0).plausible_power, Power::from_watts(696));
  EXPECT_EQ(sensor(found, 0).domain.vendor, Vendor::amd);
  EXPECT_TRUE(says(found, "power it shows is that of the whole processor"));
}

TEST(GpuHwmon, ACardOfTwoDiesIsOne) {
  const MachineCopy copy(machine("mi250-node"));
  const Discovery found = look(copy);
  ASSERT_EQ(found.probes.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(sensor(found, i).domain.index, static_cast<int>(2 * i));
  }
  EXPECT_EQ(sensor(found, 1).domain.uuid, "GPU-9d1b2c3d4e5f6010");
  EXPECT_EQ(count(found, Finding::Outcome::unsupported), 4);
  EXPECT_TRUE(says(found, "second die"));
}

TEST(GpuHwmon, ACardThatUsesNoPowerNowIsACardAllTheSame) {
  const MachineCopy copy(machine("radeon-workstation"));
  copy.write("sys/class/hwmon/hwmon2/power1_average", 0);
  EXPECT_EQ(look(copy).probes.size(), 2U);
}

TEST(GpuHwmon, ALimitThatCannotBeTrueIsNone) {
  const MachineCopy copy(machine("radeon-workstation"));
  for (const char* limit : {"0", "-5", "9223372036854775807", "", "lots"}) {
    for (const char* file : {"power1_cap", "power1_cap_max"}) {
      copy.write("sys/class/hwmon/hwmon2/" + std::string(file), limit);
    }
    EXPECT_EQ(sensor(look(copy), 1).plausible_power, SensorInfo{}.plausible_power) << limit;
  }
}

TEST(GpuHwmon, AMachineWithoutCardsSaysSo) {
  const MachineCopy empty;
  const Discovery found = look(empty);
  EXPECT_TRUE(found.probes.empty());
  EXPECT_EQ(count(found, Finding::Outcome::absent), 1);
}

/// Cards that use scripted power and show it in the files of a copied machine.
class Bench {
 public:
  Bench(const MachineCopy& copy, std::map<std::string, Profile> load)
      : copy_(copy), load_(std::move(load)) {
    show(Duration{});
  }
  /// What flowed until now, or the power of now, in the file of each card.
  void show(Duration now) const {
    for (const auto& [file, power] : load_) {
      const bool counts = file.find("energy") != std::string::npos;
      copy_.write(file, counts ? kStart + static_cast<long long>(energy_uj_until(power, now))
                               : static_cast<long long>(power.at(now)));
    }
  }

  static constexpr long long kStart = 987'654'321'012;

 private:
  const MachineCopy& copy_;
  std::map<std::string, Profile> load_;
};

const std::string kArc = "sys/class/hwmon/hwmon4/energy1_input";
const std::string kChip = "sys/class/hwmon/hwmon6/energy2_input";
const std::string kBattlemage = "sys/class/hwmon/hwmon10/energy1_input";

std::int64_t watts(std::int64_t number) {
  return number * 1'000'000;
}

TEST(GpuHwmon, SixtySecondsOfSquareWavesAreCountedToTheMicrojouleCardByCard) {
  const MachineCopy copy(machine("intel-cards"));
  const Profile waves[] = {
      Profile::square(watts(12), watts(225), milliseconds(10), milliseconds(5)),
      Profile::square(watts(9), watts(190), milliseconds(137), milliseconds(41)),
      Profile::square(watts(30), watts(190), milliseconds(1000), milliseconds(500))};
  const Bench bench(copy, {{kArc, waves[0]}, {kChip, waves[1]}, {kBattlemage, waves[2]}});
  const Discovery found = look(copy);
  Metered metered(found);
  metered.sample(MonoTime{});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(metered.account(i).energy, Energy{});
  Duration now{};
  for (int beat = 0; now < std::chrono::seconds(60); ++beat) {
    now += milliseconds(1 + beat * 7919 % 1999);  // in no step with the waves
    bench.show(now);
    metered.sample(MonoTime{now});
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const auto truth = static_cast<std::int64_t>(energy_uj_until(waves[i], now));
    EXPECT_EQ(metered.account(i).energy.uj(), truth);
    EXPECT_EQ(metered.account(i).gap_time(), Duration{});
  }
}

TEST(GpuHwmon, OneCardThatFailsLeavesTheOthersExactAndLosesNothingOfItsOwn) {
  for (const char* fault : {"", "no number", "-3", "0"}) {
    const MachineCopy copy(machine("intel-cards"));
    const Profile load = Profile::square(watts(20), watts(180), milliseconds(50), milliseconds(7));
    const Bench bench(copy, {{kArc, load}, {kChip, load}, {kBattlemage, load}});
    const Discovery found = look(copy);
    Metered metered(found);
    Duration now{};
    for (int beat = 0; beat <= 60; ++beat, now += std::chrono::seconds(1)) {
      bench.show(now);
      if (beat > 20 && beat < 30) copy.write(kChip, fault);
      metered.sample(MonoTime{now});
    }
    const auto truth = static_cast<std::int64_t>(energy_uj_until(load, std::chrono::seconds(60)));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(metered.account(i).energy.uj(), truth) << fault;
  }
}

TEST(GpuHwmon, PowerOfACardIsWithinItsBoundWhileSamplesAreFasterThanItsLoad) {
  const MachineCopy copy(machine("radeon-workstation"));
  const std::string file = "sys/class/hwmon/hwmon3/power1_input";
  const Profile load = Profile::square(watts(20), watts(300), milliseconds(500), milliseconds(180));
  const Bench bench(copy, {{file, load}});
  const Discovery found = look(copy);
  Metered metered(found);
  Duration now{};
  for (; now <= std::chrono::seconds(60); now += milliseconds(30)) {
    bench.show(now);
    metered.sample(MonoTime{now});
  }
  const auto truth = energy_uj_until(load, std::chrono::seconds(60));
  const Account& card = metered.account(0);
  EXPECT_LE(std::abs(card.energy.uj() - static_cast<std::int64_t>(truth)), card.bound.uj());
  EXPECT_LT(card.bound.uj(), card.energy.uj() / 4);
}

TEST(GpuHwmon, ReadingAsksForNoMemory) {
  for (const char* name : {"intel-cards", "radeon-workstation"}) {
    const MachineCopy copy(machine(name));
    const Discovery found = look(copy);
    EXPECT_EQ(testing_support::allocations_of_reading(found), 0) << name;
  }
}

TEST(GpuHwmon, ACardThatCannotBeReadYetIsAGapAndThenCounts) {
  const MachineCopy copy(machine("radeon-workstation"));
  const std::string file = "sys/class/hwmon/hwmon2/power1_average";
  copy.write(file, "");
  const Discovery found = look(copy);
  ASSERT_EQ(found.probes.size(), 2U);
  EXPECT_EQ(count(found, Finding::Outcome::denied), 1);
  Reading reading;
  found.probes[1]->read(MonoTime{}, {&reading, 1});
  EXPECT_EQ(reading.value, tl::unexpected(ReadFault::empty));
  copy.write(file, watts(40));
  found.probes[1]->read(MonoTime{}, {&reading, 1});
  EXPECT_EQ(reading.value, watts(40));
}

}  // namespace
}  // namespace codecarbon::gpu_hwmon
