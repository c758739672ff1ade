#include "readings/power_integrator.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>

namespace codecarbon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

SensorInfo gpu() {
  SensorInfo info;
  info.domain = {DomainKind::gpu, 0, 0, "gpu"};
  info.quantity = Quantity::power;
  return info;
}

Reading at(Duration when, double power_w) {
  return {MonoTime(when), Power::from_watts(power_w).uw()};
}

TEST(PowerIntegrator, ConstantPowerIsExactOverAnHour) {
  const auto info = gpu();
  PowerIntegrator integrator(info);
  Energy total;
  for (int second = 0; second <= 3600; ++second) {
    if (const auto interval = integrator.advance(at(seconds(second), 26))) {
      total += interval->energy;
      EXPECT_EQ(interval->bound, Energy{});
    }
  }
  EXPECT_EQ(total, Energy::from_joules(26 * 3600));
}

TEST(PowerIntegrator, RoundingDoesNotPileUpOverSmallSteps) {
  const auto info = gpu();
  PowerIntegrator integrator(info);
  Energy total;
  // 0.3 uJ a step: rounding steps instead of the total would give nothing at all.
  for (int step = 0; step <= 100'000; ++step) {
    const Reading reading{MonoTime(milliseconds(step)), 300};
    if (const auto interval = integrator.advance(reading)) total += interval->energy;
  }
  EXPECT_EQ(total, Energy::from_uj(30'000));
}

TEST(PowerIntegrator, TheTruthOfAnyMonotoneStretchIsWithinTheBound) {
  EXPECT_TRUE(rc::check([] {
    const auto from = *rc::gen::inRange<std::int64_t>(0, 1'000'000'000);
    const auto to = *rc::gen::inRange<std::int64_t>(1, 1'000'000'000);
    const auto switch_ms = *rc::gen::inRange(0, 1001);
    const auto info = gpu();
    PowerIntegrator integrator(info);
    integrator.advance({MonoTime{}, from});
    const auto interval = integrator.advance({MonoTime(seconds(1)), to});
    const Energy truth = Power::from_uw(from) * milliseconds(switch_ms) +
                         Power::from_uw(to) * milliseconds(1000 - switch_ms);
    RC_ASSERT(std::abs((truth - interval->energy).uj()) <= interval->bound.uj() + 2);
  }));
}

TEST(PowerIntegrator, FaultsLeaveAGapWithABound) {
  const auto info = gpu();
  PowerIntegrator integrator(info);
  integrator.advance(at(seconds(0), 100));
  EXPECT_FALSE(integrator.advance({MonoTime(seconds(1)), tl::unexpected(ReadFault::gone)}));
  ASSERT_TRUE(integrator.unresolved(MonoTime(seconds(1))).has_value());
  const auto interval = integrator.advance(at(seconds(2), 100));
  ASSERT_TRUE(interval && interval->gap);
  EXPECT_EQ(interval->gap->length, seconds(2));
  EXPECT_FALSE(integrator.unresolved(MonoTime(seconds(2))).has_value());
}

TEST(PowerIntegrator, AZeroAfterPowerIsNoReadingButADeviceThatIsOffStaysOff) {
  const auto info = gpu();
  PowerIntegrator off(info);
  off.advance(at(seconds(0), 0));
  EXPECT_TRUE(off.advance(at(seconds(1), 0)));
  PowerIntegrator failing(info);
  failing.advance(at(seconds(0), 300));
  EXPECT_FALSE(failing.advance(at(seconds(1), 0)));
  EXPECT_TRUE(failing.unresolved(MonoTime(seconds(1))));
}

TEST(PowerIntegrator, MoreThanTheHardwareCanUseIsNoReading) {
  const auto info = gpu();
  PowerIntegrator integrator(info);
  integrator.advance(at(seconds(0), 100));
  EXPECT_TRUE(integrator.suspicious(at(seconds(1), 12e6)));
  EXPECT_FALSE(integrator.advance(at(seconds(1), 12e6)));
  EXPECT_FALSE(integrator.advance(at(seconds(1), -5)));
}

}  // namespace
}  // namespace codecarbon
