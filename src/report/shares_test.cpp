#include "report/shares.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace codecarbon {
namespace {

using std::chrono::seconds;

SensorInfo sensor(DomainKind kind, Method method = Method::measured) {
  SensorInfo info;
  info.domain = {kind, 0, 0, std::string(to_string(kind))};
  info.method = method;
  return info;
}

/// A package and memory that were measured over ten seconds.
struct Measured {
  SensorInfo package = sensor(DomainKind::package);
  SensorInfo memory = sensor(DomainKind::ram, Method::modelled);
  std::vector<UsedSensor> sensors{{&package, {Component::cpu, false, {}}},
                                  {&memory, {Component::ram, false, {}}}};
  Ledger ledger{2};

  void add(std::size_t index, std::int64_t energy_uj, const std::optional<Share>& share) {
    ledger.energies[index].energy += Energy::from_uj(energy_uj);
    ledger.energies[index].split.add(Energy::from_uj(energy_uj), share);
  }
  Summary summary(ShareUse use, double pue = 1) const {
    RunContext context;
    context.share_use = use;
    context.share_source = "a script";
    context.pue = pue;
    return summarize(context, sensors, ledger);
  }
};

TEST(Shares, AreBesideTheMachinesFiguresOrInTheirPlace) {
  Measured measured;
  measured.add(0, 1000, Share{0.5, 0.2, 0});
  measured.add(1, 100, Share{0.1, 0.5, 0});
  EXPECT_FALSE(measured.summary(ShareUse::none).share);

  const Summary beside = measured.summary(ShareUse::beside);
  EXPECT_EQ(beside.cpu.energy, Energy::from_uj(1000));
  EXPECT_EQ(beside.share->cpu.own, Energy::from_uj(500));
  EXPECT_EQ(beside.share->cpu.idle, Energy::from_uj(200));
  EXPECT_EQ(beside.share->cpu.rest, Energy::from_uj(300));
  EXPECT_EQ(beside.share->ram.own, Energy::from_uj(10));
  EXPECT_EQ(beside.share->source, "a script");
  EXPECT_TRUE(beside.notes.empty());

  const Summary own = measured.summary(ShareUse::figures);
  EXPECT_EQ(own.cpu.energy, Energy::from_uj(500));
  EXPECT_EQ(own.ram.energy, Energy::from_uj(10));
  EXPECT_EQ(own.cpu.bound, own.share->cpu.bound);
}

TEST(Shares, AddUpToTheMachineWhateverThePue) {
  EXPECT_TRUE(rc::check([] {
    Measured measured;
    for (int i = 0; i < 5; ++i) {
      const double own = *rc::gen::inRange(0, 1001) / 1000.0;
      const double idle = (1 - own) * *rc::gen::inRange(0, 1001) / 1000.0;
      measured.add(0, *rc::gen::inRange<std::int64_t>(0, 1'000'000'000), Share{own, idle, 0});
    }
    const double pue = 1 + *rc::gen::inRange(0, 1000) / 777.0;
    const Summary summary = measured.summary(ShareUse::beside, pue);
    RC_ASSERT(summary.share->cpu.machine() == summary.cpu.energy);
    RC_ASSERT(summary.share->cpu.own >= Energy{});
    RC_ASSERT(summary.share->cpu.rest >= Energy{});
    RC_ASSERT(summary.share->cpu.idle >= Energy{});
  }));
}

TEST(Shares, WhatIsUndividedIsOthersAndNoted) {
  Measured measured;
  measured.add(0, 5'000'000, std::nullopt);
  measured.ledger.energies[0].split.unknown_time = seconds(2);
  const Summary summary = measured.summary(ShareUse::figures);
  EXPECT_EQ(summary.cpu.energy, Energy{});
  EXPECT_GE(summary.cpu.bound, Energy::from_uj(5'000'000));
  ASSERT_EQ(summary.notes.size(), 1U);
  EXPECT_EQ(summary.notes[0],
            "package: whose energy it was is unknown for 2.000 s: at most 5.000 J of the "
            "processes' may be missing");
}

TEST(Shares, WhatIsUndividedIsKnownToBeSoBesideTheMachinesFiguresAndDoesNotQualifyThem) {
  Measured measured;
  measured.add(0, 5'000'000, std::nullopt);
  measured.add(0, 1'000'000, Share{0.5, 0.5, 0});
  const Summary summary = measured.summary(ShareUse::beside, 1.5);
  EXPECT_EQ(summary.share->cpu.unknown, Energy::from_uj(7'500'000));
  EXPECT_EQ(summary.share->cpu.rest, summary.share->cpu.unknown);
  EXPECT_TRUE(summary.notes.empty());
}

TEST(Shares, AModelsErrorIsSharedInProportion) {
  Measured measured;
  measured.add(1, 1000, Share{0.25, 0, 0});
  measured.ledger.energies[1].bound = Energy::from_uj(500);
  EXPECT_EQ(measured.summary(ShareUse::figures).ram.bound, Energy::from_uj(125));
}

TEST(Shares, AGapOfTheMachineIsAGapOfTheShare) {
  Measured measured;
  measured.add(1, 1000, Share{0.25, 0, 0});
  measured.ledger.energies[1].add({GapCause::reset, seconds(1), Energy::from_uj(400)});
  EXPECT_EQ(measured.summary(ShareUse::figures).ram.bound, Energy::from_uj(400));
}

}  // namespace
}  // namespace codecarbon
