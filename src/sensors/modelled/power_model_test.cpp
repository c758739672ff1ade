#include "sensors/modelled/power_model.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace codecarbon::modelled {
namespace {

/// Any processors, of which more or less is known.
ProcessorFacts any_facts() {
  ProcessorFacts facts;
  facts.rated = Power::from_watts(*rc::gen::inRange(1, 2000));
  facts.cores = *rc::gen::inRange(0, 400);
  facts.threads_per_core = *rc::gen::inRange(10, 80) / 10.0;
  if (*rc::gen::arbitrary<bool>()) facts.process_nm = *rc::gen::inRange(1, 130);
  if (*rc::gen::arbitrary<bool>()) facts.base_ghz = *rc::gen::inRange(1, 60) / 10.0;
  if (*rc::gen::arbitrary<bool>()) {
    facts.idle_share = kSeveralDiesIdleShare;
    facts.fabric_share = kFabricShare;
  }
  return facts;
}

double any_share() {
  return *rc::gen::inRange(0, 1001) / 1000.0;
}

std::optional<double> any_clock() {
  return *rc::gen::arbitrary<bool>() ? std::optional(*rc::gen::inRange(-10, 500) / 100.0)
                                     : std::nullopt;
}

TEST(PowerCurve, GrowsWithTheLoadFromIdleToNoMoreThanTheRating) {
  EXPECT_TRUE(rc::check([] {
    const ProcessorFacts facts = any_facts();
    const PowerCurve curve(facts);
    const auto clock = any_clock();
    const double load = any_share();
    RC_ASSERT(curve.at(load, clock) >= curve.at(load * any_share(), clock));
    RC_ASSERT(curve.at(0, clock) == Power::from_watts(facts.rated.watts() * facts.idle_share));
    RC_ASSERT(curve.at(1, clock) <= facts.rated);
    RC_ASSERT(curve.most() == facts.rated);
  }));
}

TEST(PowerCurve, GrowsWithTheClock) {
  EXPECT_TRUE(rc::check([] {
    const PowerCurve curve(any_facts());
    const double load = any_share();
    const double clock = *rc::gen::inRange(0, 500) / 100.0;
    RC_ASSERT(curve.at(load, clock) >= curve.at(load, clock * any_share()));
  }));
}

TEST(PowerCurve, LoadsOutsideTheScaleCountAsItsEnds) {
  const PowerCurve curve({Power::from_watts(100), 8, 2, 14, 3.0});
  EXPECT_EQ(curve.at(-1), curve.at(0));
  EXPECT_EQ(curve.at(7), curve.at(1));
}

TEST(PowerCurve, AShareOfTheProcessorsHasTheSharesPower) {
  EXPECT_TRUE(rc::check([] {
    const PowerCurve curve(any_facts());
    const double share = *rc::gen::inRange(1, 400) / 100.0;
    const double load = any_share();
    const auto clock = any_clock();
    const double whole = curve.at(load, clock).watts();
    RC_ASSERT(std::abs(curve.scaled(share).at(load, clock).watts() - share * whole) < 1e-4);
    RC_ASSERT(curve.scaled(1) == curve);
  }));
}

TEST(PowerCurve, SmallerProcessesAndSlowerClocksDrawLess) {
  const Power rated = Power::from_watts(1000);
  const PowerCurve curve({rated, 16, 2, 14, 3.0});
  EXPECT_LT(PowerCurve({rated, 16, 2, 7, 3.0}).at(0.5), curve.at(0.5));
  EXPECT_LT(PowerCurve({rated, 16, 2, 14, 2.0}).at(0.5), curve.at(0.5));
  EXPECT_LT(PowerCurve({rated, 8, 2, 14, 3.0}).at(0.5), curve.at(0.5));
}

TEST(PowerCurve, TheSecondThreadOfACoreAddsLessThanTheFirst) {
  const PowerCurve curve({Power::from_watts(1000), 16, 2, 14, 3.0});
  const double idle = curve.at(0, 1.0).watts();
  const double half = curve.at(0.5, 1.0).watts() - idle;
  EXPECT_NEAR(half, 0.75 * (curve.at(1, 1.0).watts() - idle), 1e-6);
}

}  // namespace
}  // namespace codecarbon::modelled
