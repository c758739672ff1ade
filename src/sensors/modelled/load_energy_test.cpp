#include "sensors/modelled/load_energy.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <vector>

namespace codecarbon::modelled {
namespace {

using std::chrono::milliseconds;

const PowerCurve kCurve({Power::from_watts(100), 8, 2, 14, 3.0});

TEST(RunningEnergy, RoundsTheTotalAndNotTheSteps) {
  RunningEnergy energy;
  for (int i = 0; i < 1'000'000; ++i) energy.add(Power::from_uw(100), Duration(1'000));
  EXPECT_EQ(energy.uj(), 100) << "a million steps of 0.0001 uJ";
  for (int i = 0; i < 9'000'000; ++i) energy.add(Power::from_uw(100), Duration(1'000));
  EXPECT_EQ(energy.uj(), 1000);
}

TEST(RunningEnergy, DoesNotOverflowInTenYearsOfTenKilowatts) {
  RunningEnergy energy;
  energy.add(Power::from_watts(1e4), std::chrono::hours(24 * 3650));
  EXPECT_EQ(energy.uj(), 10'000LL * 1'000'000 * 3600 * 24 * 3650);
}

TEST(LoadEnergy, NeverFallsAndEndsAtTheSettledEnergy) {
  EXPECT_TRUE(rc::check([] {
    LoadEnergy energy(kCurve, 1.0, MonoTime{});
    MonoTime now{};
    std::int64_t shown = 0;
    RunningEnergy truth;
    for (const int percent : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 101))) {
      const double load = percent / 100.0;
      for (int part = 0; part < 4; ++part) {
        now += milliseconds(50);
        const auto total = energy.total_uj(now);
        RC_ASSERT(total >= shown);
        shown = total;
      }
      energy.settle(load, std::nullopt, now);
      truth.add(kCurve.at(load), milliseconds(200));
    }
    // Whatever was overstated is taken back within the time it takes to use that much.
    energy.settle(1.0, std::nullopt, now + std::chrono::hours(1));
    truth.add(kCurve.at(1.0), std::chrono::hours(1));
    RC_ASSERT(energy.total_uj(now + std::chrono::hours(1)) == truth.uj());
  }));
}

TEST(LoadEnergy, UntilALoadIsKnownTheFirstOneStandsInForIt) {
  LoadEnergy energy(kCurve, 0.25, MonoTime{});
  EXPECT_EQ(energy.total_uj(MonoTime(milliseconds(10))), (kCurve.at(0.25) * milliseconds(10)).uj());
  energy.settle(1.0, std::nullopt, MonoTime(milliseconds(100)));
  EXPECT_EQ(energy.total_uj(MonoTime(milliseconds(100))),
            (kCurve.at(1.0) * milliseconds(100)).uj());
}

TEST(LoadEnergy, TheClockCountsWhereItIsKnown) {
  LoadEnergy energy(kCurve, 0.5, MonoTime{});
  energy.settle(0.5, 0.4, MonoTime(milliseconds(100)));
  LoadEnergy fast(kCurve, 0.5, MonoTime{});
  fast.settle(0.5, 1.2, MonoTime(milliseconds(100)));
  EXPECT_EQ(energy.total_uj(MonoTime(milliseconds(100))),
            (kCurve.at(0.5, 0.4) * milliseconds(100)).uj());
  EXPECT_LT(energy.total_uj(MonoTime(milliseconds(100))),
            fast.total_uj(MonoTime(milliseconds(100))));
}

}  // namespace
}  // namespace codecarbon::modelled
