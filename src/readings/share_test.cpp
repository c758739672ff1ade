#include "readings/share.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <vector>

#include "readings/idle_share.hpp"

namespace codecarbon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class Tracked final : public ProcessSource {
 public:
  ProcessReading read(MonoTime) override { return {}; }
  std::optional<bool> owns(int pid) const override {
    return knows ? std::optional(pid < 100) : std::nullopt;
  }
  Duration shortest_interval() const override { return {}; }
  const std::string& description() const override { return text; }
  bool knows = true;
  std::string text;
};

Duration any_time(std::int64_t most_ns) {
  return Duration(*rc::gen::inRange<std::int64_t>(0, most_ns + 1));
}

CpuUse any_use() {
  constexpr std::int64_t kMost = 1'000'000'000'000;
  return {any_time(kMost), any_time(kMost), any_time(kMost), any_time(kMost / 100),
          any_time(kMost / 100)};
}

TEST(IdlePart, FallsFromAllToTheIdleShareAsTheLoadGrows) {
  EXPECT_EQ(idle_part(0), 1);
  EXPECT_DOUBLE_EQ(idle_part(1), kSeveralDiesIdleShare);
  EXPECT_TRUE(rc::check([] {
    const double load = *rc::gen::inRange(-100, 1100) / 1000.0;
    RC_ASSERT(idle_part(load) >= idle_part(load + 0.001));
    RC_ASSERT(idle_part(load) >= kSeveralDiesIdleShare && idle_part(load) <= 1);
  }));
}

TEST(CpuShare, SplitsActivePowerByTimeAndIdlePowerByCapacity) {
  const CpuUse use{seconds(1), seconds(2), seconds(8), {}, {}};
  const double idle = idle_part(0.25);
  const auto share = cpu_share(use);
  ASSERT_TRUE(share);
  EXPECT_DOUBLE_EQ(share->own, (1 - idle) / 2 + idle / 8);
  EXPECT_DOUBLE_EQ(share->idle, idle * 0.75);
  EXPECT_EQ(share->bound, 0);
}

TEST(CpuShare, IsInProportionToCpuTimeWhoeverIsAsked) {
  EXPECT_TRUE(rc::check([] {
    const Duration busy = milliseconds(*rc::gen::inRange(1, 8000));
    const auto own = [&](Duration time) {
      return cpu_share({time, busy, seconds(8), {}, {}})->own;
    };
    const Duration one = std::min<Duration>(busy, milliseconds(*rc::gen::inRange(0, 8000)));
    const double all = own(busy);
    RC_ASSERT(std::abs(own(one) + own(busy - one) - all) < 1e-12);
    RC_ASSERT(std::abs(own(one) - all * static_cast<double>(one.count()) /
                                      static_cast<double>(busy.count())) < 1e-12);
  }));
}

TEST(CpuShare, AnIdleMachineIsNobodysAndAFullOneBelongsToItsOnlyUser) {
  const auto idle = cpu_share({{}, {}, seconds(4), {}, {}});
  EXPECT_EQ(idle->idle, 1);
  EXPECT_EQ(idle->own, 0);
  const auto full = cpu_share({seconds(4), seconds(4), seconds(4), {}, {}});
  EXPECT_DOUBLE_EQ(full->own, 1);
  EXPECT_DOUBLE_EQ(full->idle, 0);
}

TEST(CpuShare, BusyTimeThatTheKernelMissedIsNotTakenFromTheProcesses) {
  const auto share = cpu_share({seconds(2), seconds(1), seconds(4), {}, {}});
  EXPECT_DOUBLE_EQ(share->own, cpu_share({seconds(2), seconds(2), seconds(4), {}, {}})->own);
}

TEST(CpuShare, IsAlwaysADivision) {
  EXPECT_TRUE(rc::check([] {
    const auto share = cpu_share(any_use());
    if (!share) return;
    RC_ASSERT(share->own >= 0 && share->idle >= 0 && share->own + share->idle <= 1 + 1e-12);
    RC_ASSERT(share->bound >= 0 && share->bound <= 1);
  }));
}

TEST(CpuShare, WithoutTimeNothingIsKnown) {
  EXPECT_FALSE(cpu_share({}));
}

TEST(MemoryShare, FreeMemoryIsNobodys) {
  const auto share = memory_share({2, 6, 8});
  EXPECT_DOUBLE_EQ(share->own, 0.25);
  EXPECT_DOUBLE_EQ(share->idle, 0.25);
  EXPECT_FALSE(memory_share({2, 6, 0}));
  EXPECT_DOUBLE_EQ(memory_share({6, 2, 8})->idle, 0.25) << "shared pages may count twice";
}

TEST(DeviceShare, ASoleUserGetsTheWholeDevice) {
  const Tracked tracked;
  EXPECT_EQ(device_share(std::vector<GpuProcess>{{1, {}}, {2, {}}}, tracked)->own, 1);
  EXPECT_EQ(device_share(std::vector<GpuProcess>{{500, {}}}, tracked)->own, 0);
  EXPECT_EQ(device_share(std::vector<GpuProcess>{{500, {}}}, tracked)->idle, 0);
  EXPECT_EQ(device_share({}, tracked)->idle, 1);
}

TEST(DeviceShare, SeveralUsersShareByUtilisationOrAreUnknown) {
  Tracked tracked;
  EXPECT_DOUBLE_EQ(device_share(std::vector<GpuProcess>{{1, 30.0}, {500, 10.0}}, tracked)->own,
                   0.75);
  EXPECT_FALSE(device_share(std::vector<GpuProcess>{{1, 30.0}, {500, {}}}, tracked));
  EXPECT_FALSE(device_share(std::vector<GpuProcess>{{1, 0.0}, {500, 0.0}}, tracked));
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(device_share(std::vector<GpuProcess>{{1, kNan}, {500, kNan}}, tracked));
  tracked.knows = false;
  EXPECT_FALSE(device_share(std::vector<GpuProcess>{{1, {}}}, tracked));
}

TEST(Split, LosesNothing) {
  EXPECT_TRUE(rc::check([] {
    Split split;
    Energy sum;
    for (int step = *rc::gen::inRange(1, 50); step > 0; --step) {
      const auto energy = Energy::from_uj(*rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000));
      split.add(energy, *rc::gen::arbitrary<bool>() ? cpu_share(any_use()) : std::nullopt);
      sum += energy;
      RC_ASSERT(split.own >= Energy{});
      RC_ASSERT(split.rest >= Energy{});
      RC_ASSERT(split.idle >= Energy{});
      RC_ASSERT(split.own + split.rest + split.idle == sum);
      RC_ASSERT(split.undivided <= split.rest);
      RC_ASSERT(split.undivided <= split.bound);
      RC_ASSERT(split.bound <= sum);
    }
  }));
}

TEST(Split, RoundingDoesNotPileUp) {
  Split split;
  const Share third{1.0 / 3, 1.0 / 3, 0};
  for (int i = 0; i < 30'000; ++i) split.add(Energy::from_uj(1), third);
  EXPECT_NEAR(static_cast<double>(split.own.uj()), 10'000, 2);
  EXPECT_NEAR(static_cast<double>(split.idle.uj()), 10'000, 2);
}

TEST(Split, SixteenProcessesSumToTheWhole) {
  EXPECT_TRUE(rc::check([] {
    constexpr std::size_t kProcesses = 16;
    std::vector<Split> splits(kProcesses);
    Energy sum;
    std::int64_t idle_uj = 0;
    for (int step = 0; step < 20; ++step) {
      std::vector<Duration> own;
      Duration busy{};
      for (std::size_t i = 0; i < kProcesses; ++i) busy += own.emplace_back(any_time(60'000'000));
      const auto energy = Energy::from_uj(*rc::gen::inRange<std::int64_t>(0, 100'000'000));
      for (std::size_t i = 0; i < kProcesses; ++i) {
        splits[i].add(energy, cpu_share({own[i], busy, seconds(1), {}, {}}));
      }
      sum += energy;
    }
    std::int64_t own_uj = 0;
    for (const Split& split : splits) own_uj += split.own.uj();
    idle_uj = splits[0].idle.uj();
    RC_ASSERT(std::abs(own_uj + idle_uj - sum.uj()) <= 20);
  }));
}

}  // namespace
}  // namespace codecarbon
