#include "readings/gpu_model.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace codecarbon {
namespace {

constexpr std::int64_t kFull = 1'000'000;

TEST(GpuModel, GrowsWithUtilisationAndLimitAndStaysBelowIt) {
  EXPECT_TRUE(rc::check([] {
    const Power limit = Power::from_watts(*rc::gen::inRange(0, 3000));
    const Power larger = limit + Power::from_watts(*rc::gen::inRange(0, 100));
    const std::int64_t low = *rc::gen::inRange<std::int64_t>(0, kFull);
    const std::int64_t high = *rc::gen::inRange<std::int64_t>(low, kFull + 1);
    RC_ASSERT(gpu_power(limit, low) <= gpu_power(limit, high));
    RC_ASSERT(gpu_power(limit, low) <= gpu_power(larger, low));
    RC_ASSERT(gpu_power(limit, high) <= limit);
    RC_ASSERT(gpu_power(limit, std::nullopt) <= limit);
  }));
}

TEST(GpuModel, AnyNumbersGiveAPowerBetweenNothingAndTheLimit) {
  EXPECT_TRUE(rc::check([](std::int64_t utilization) {
    const Power limit = Power::from_uw(*rc::gen::inRange<std::int64_t>(-1'000'000, 1LL << 40));
    const Power power = gpu_power(limit, utilization);
    RC_ASSERT(power >= Power{});
    RC_ASSERT(power <= std::max(limit, Power{}));
  }));
}

TEST(GpuModel, TheBoundReachesTheLimitAtFullUse) {
  const Power limit = Power::from_watts(700);
  EXPECT_GE(gpu_power(limit, kFull).watts() * (1 + kGpuModelBound), limit.watts());
  EXPECT_GE(gpu_power(limit, std::nullopt).watts() * (1 + kGpuGuessBound), limit.watts());
}

struct Measured {
  const char* what;
  double limit_w;
  std::int64_t utilization;
  double watts;
};

TEST(GpuModel, PublishedFiguresAreWithinTheBound) {
  for (const Measured& gpu : {
           Measured{"H200 at rest", 700, 0, 74},
           Measured{"L40S at rest, 66 W more with a context", 350, 0, 101},
           Measured{"H100 node, training, on average", 10'200, kFull, 7'750},
           Measured{"H100 node, training, at most", 10'200, kFull, 8'400},
       }) {
    const double power = gpu_power(Power::from_watts(gpu.limit_w), gpu.utilization).watts();
    EXPECT_NEAR(power, gpu.watts, power * kGpuModelBound) << gpu.what;
  }
}

}  // namespace
}  // namespace codecarbon
