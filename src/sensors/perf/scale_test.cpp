#include "sensors/perf/scale.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <string>

namespace codecarbon::perf {
namespace {

constexpr const char* kTwoToMinus32 = "2.3283064365386962890625e-10\n";

TEST(Scale, TheUnitOfTheKernelIsExact) {
  const auto scale = Scale::parse(kTwoToMinus32);
  ASSERT_TRUE(scale);
  EXPECT_TRUE(rc::check([&] {
    const auto count = *rc::gen::arbitrary<std::uint64_t>();
    // count x 10^6 / 2^32 in whole numbers: the high and the low half of the count apart.
    const std::uint64_t high = (count >> 32U) * 1'000'000;
    const std::uint64_t low = ((count & 0xffffffffU) * 1'000'000) >> 32U;
    RC_ASSERT(scale->microjoules(count) == static_cast<std::int64_t>(high + low));
  }));
  EXPECT_EQ(scale->microjoules(std::uint64_t{1} << 32U), 1'000'000);
  EXPECT_TRUE(scale->microjoules(std::numeric_limits<std::uint64_t>::max()));
}

TEST(Scale, WaysToWriteANumber) {
  EXPECT_EQ(Scale::parse("1")->microjoules(3), 3'000'000);
  EXPECT_EQ(Scale::parse("0.5")->microjoules(3), 1'500'000);
  EXPECT_EQ(Scale::parse("1e-6")->microjoules(7), 7);
  EXPECT_EQ(Scale::parse("1E+0")->microjoules(7), 7'000'000);
  EXPECT_EQ(Scale::parse("6.103515625e-05")->microjoules(16384), 1'000'000);
}

TEST(Scale, WhatDoesNotFitIsMissing) {
  EXPECT_EQ(Scale::parse("1")->microjoules(std::numeric_limits<std::uint64_t>::max()),
            std::nullopt);
  for (const char* text :
       {"", "\n", "0", "0.0", "-1e-10", "nan", "inf", "1e", "1e-", "1.2.3", "1 2", "0x10", "1e999",
        "1e-99999999999", "99999999999999999999999999999999999999999999", "1e90", "1e-90"}) {
    EXPECT_FALSE(Scale::parse(text)) << text;
  }
}

TEST(Scale, NoTextBreaksIt) {
  EXPECT_TRUE(rc::check([] {
    const auto text =
        *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0123456789.eE+- \n")));
    if (const auto scale = Scale::parse(text))
      scale->microjoules(*rc::gen::arbitrary<std::uint64_t>());
  }));
}

}  // namespace
}  // namespace codecarbon::perf
