#include "sensors/amdsmi/count_scale.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace codecarbon::amdsmi {
namespace {

constexpr std::uint64_t kCountsOfAJoule = 65'536;

TEST(CountScale, TheUnitOfTheFirmwareIsExactHoweverItIsRounded) {
  for (const float stated : {15.3F, 15.259F, 15.2587890625F, 15.26F, 15.25F}) {
    const auto scale = CountScale::of(stated);
    ASSERT_TRUE(scale) << stated;
    EXPECT_EQ(scale->microjoules(kCountsOfAJoule), 1'000'000);
    EXPECT_EQ(scale->microjoules(1'000'000 * kCountsOfAJoule), 1'000'000'000'000);
    EXPECT_EQ(scale->microjoules(1), 15);
    EXPECT_EQ(scale->microjoules(0), 0);
  }
}

TEST(CountScale, OtherUnitsAreTakenAsStated) {
  EXPECT_EQ(CountScale::of(1.0F)->microjoules(123'456'789), 123'456'789);
  EXPECT_EQ(CountScale::of(0.5F)->microjoules(3), 1);
  EXPECT_EQ(CountScale::of(61.03515625F)->microjoules(16'384), 1'000'000);  // 2^-14 J
  EXPECT_EQ(CountScale::of(1e6F)->microjoules(7), 7'000'000);
}

TEST(CountScale, WhatIsNoUnitIsNone) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float stated : {0.0F, -15.3F, 1e-30F, 1e30F, infinity, -infinity, std::nanf("")}) {
    EXPECT_FALSE(CountScale::of(stated)) << stated;
  }
}

TEST(CountScale, WhatDoesNotFitIsMissing) {
  EXPECT_FALSE(CountScale::of(15.3F)->microjoules(UINT64_MAX));
  EXPECT_FALSE(CountScale::of(1e6F)->microjoules(UINT64_MAX));
  EXPECT_TRUE(CountScale::of(15.3F)->microjoules(UINT64_MAX / 64));
}

RC_GTEST_PROP(CountScale, NeverFallsAndStepsSumToTheWhole, ()) {
  const auto scale = CountScale::of(*rc::gen::element(15.3F, 15.259F, 7.77F, 0.31F, 100.1F));
  const auto before = *rc::gen::inRange<std::uint64_t>(0, 1ULL << 55U);
  const auto step = *rc::gen::inRange<std::uint64_t>(0, 1ULL << 20U);
  const std::int64_t rise = *scale->microjoules(before + step) - *scale->microjoules(before);
  RC_ASSERT(rise >= 0);
  RC_ASSERT(std::abs(rise - *scale->microjoules(step)) <= 1);
}

}  // namespace
}  // namespace codecarbon::amdsmi
