#include "sensors/modelled/power_model.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <vector>

namespace codecarbon::modelled {
namespace {

constexpr double kGb = 1e9;

TEST(LoadModel, IsMonotoneAndStaysBelowTheRating) {
  EXPECT_TRUE(rc::check([] {
    const Power rated = Power::from_watts(*rc::gen::inRange(1, 1000));
    const double low = *rc::gen::inRange(0, 1001) / 1000.0;
    const double high = *rc::gen::inRange(0, 1001) / 1000.0;
    if (low <= high) RC_ASSERT(power_at(rated, low) <= power_at(rated, high));
    RC_ASSERT(power_at(rated, low) > Power{});
    RC_ASSERT(power_at(rated, low) <= rated);
  }));
}

TEST(LoadModel, LoadsOutsideTheScaleCountAsItsEnds) {
  const Power rated = Power::from_watts(100);
  EXPECT_EQ(power_at(rated, -1), power_at(rated, 0));
  EXPECT_EQ(power_at(rated, 7), power_at(rated, 1));
}

struct Point {
  double rated_w;
  double load;
  double package_w;
};

/// Every fifth of the measurements that the model was fitted to.
const std::vector<Point> kMeasured = {{90, .006, 18.26},   {90, .30, 41.71},    {90, .702, 49.24},
                                      {90, .068, 37.55},   {90, .562, 49.88},   {180, .028, 42.66},
                                      {180, .364, 105.61}, {180, .721, 170.36}, {180, .122, 75.67},
                                      {180, .64, 173.43},  {69, .025, 5.46},    {69, .513, 23.95},
                                      {69, 1.0, 49.41},    {69, .137, 21.06}};

TEST(LoadModel, MeasuredPowerLiesWithinTheBoundAndHalfTheRatingIsMuchWorse) {
  double model = 0;
  double half = 0;
  for (const Point& point : kMeasured) {
    const double power = power_at(Power::from_watts(point.rated_w), point.load).watts();
    EXPECT_LE(std::abs(power - point.package_w), power * kLoadModelBound) << point.package_w;
    model += std::abs(power - point.package_w) / point.package_w;
    half += std::abs(point.rated_w / 2 - point.package_w) / point.package_w;
  }
  EXPECT_LT(model, 0.7 * half);
}

TEST(MemoryModel, GrowsWithTheMemoryFrom1GbTo4Tb) {
  Power before;
  for (int gb = 1; gb <= 4096; ++gb) {
    const Power power = memory_power(static_cast<std::int64_t>(gb * kGb));
    ASSERT_GT(power, before) << gb << " GB";
    before = power;
  }
}

TEST(MemoryModel, HasNoStepsAndNoExtremes) {
  EXPECT_EQ(memory_power(0), Power{});
  EXPECT_TRUE(rc::check([] {
    const auto bytes = *rc::gen::inRange<std::int64_t>(1'000'000'000, 4'000'000'000'000);
    const double power = memory_power(bytes).watts();
    RC_ASSERT(memory_power(bytes + bytes / 100).watts() <= power * 1.011);
    const double per_gb = power / (static_cast<double>(bytes) / kGb);
    RC_ASSERT(per_gb > 0.02 && per_gb < 1.2);
  }));
}

TEST(GenericRating, GrowsWithTheProcessorsAndIsNeverNothing) {
  EXPECT_GT(generic_rated_power(0), Power{});
  EXPECT_EQ(generic_rated_power(2).watts(), 8);
  EXPECT_LT(generic_rated_power(2), generic_rated_power(3));
}

}  // namespace
}  // namespace codecarbon::modelled
