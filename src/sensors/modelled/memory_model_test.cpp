#include "sensors/modelled/memory_model.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <vector>

namespace codecarbon::modelled {
namespace {

constexpr double kGb = 1e9;

std::int64_t gb(double count) {
  return static_cast<std::int64_t>(count * kGb);
}

TEST(MemoryBySize, GrowsWithTheMemoryFrom1GbTo4Tb) {
  Power before;
  for (int size = 1; size <= 4096; ++size) {
    const Power power = memory_power(gb(size));
    ASSERT_GT(power, before) << size << " GB";
    before = power;
  }
}

TEST(MemoryBySize, HasNoStepsAndNoExtremes) {
  EXPECT_EQ(memory_power(0), Power{});
  EXPECT_EQ(memory_power(-1), Power{});
  EXPECT_TRUE(rc::check([] {
    const auto bytes = *rc::gen::inRange<std::int64_t>(1'000'000'000, 4'000'000'000'000);
    const double power = memory_power(bytes).watts();
    RC_ASSERT(memory_power(bytes + bytes / 100).watts() <= power * 1.011);
    const double per_gb = power / (static_cast<double>(bytes) / kGb);
    RC_ASSERT(per_gb > 0.02 && per_gb < 1.2);
  }));
}

TEST(MemoryBySize, ALittleMoreMemoryIsNeverMuchMoreOrLess) {
  const double small = memory_power(gb(1000)).watts();
  const double large = memory_power(gb(1024)).watts();
  EXPECT_GT(large, small);
  EXPECT_LT(large, 1.03 * small);
}

MemoryModule any_module() {
  constexpr MemoryKind kKinds[] = {MemoryKind::unknown, MemoryKind::ddr3, MemoryKind::ddr4,
                                   MemoryKind::ddr5, MemoryKind::low_power};
  return {gb(*rc::gen::inRange(1, 256)), kKinds[*rc::gen::inRange(0, 5)],
          *rc::gen::arbitrary<bool>()};
}

std::vector<MemoryModule> any_modules() {
  std::vector<MemoryModule> modules(*rc::gen::inRange<std::size_t>(1, 33));
  for (MemoryModule& module : modules) module = any_module();
  return modules;
}

TEST(MemoryByModules, EachModuleAddsToTheOthersAndALargerOneAddsMore) {
  EXPECT_TRUE(rc::check([] {
    auto modules = any_modules();
    const Power before = memory_power(modules);
    const MemoryModule more = any_module();
    modules.push_back(more);
    RC_ASSERT(memory_power(modules) == before + module_power(more));
    MemoryModule larger = more;
    larger.bytes *= 2;
    RC_ASSERT(module_power(larger) > module_power(more));
  }));
}

TEST(MemoryByModules, MeasuredModulesAreWithinTheBound) {
  // Tom's Hardware, "Measuring DDR4 Power Consumption", 2014-08-29: unregistered modules, loaded.
  const std::vector<std::pair<double, double>> measured = {{8, 2.98}, {4, 1.52}};
  for (const auto& [size, watts] : measured) {
    const double power = module_power({gb(size), MemoryKind::ddr4, false}).watts();
    EXPECT_NEAR(power, watts, power * kModulesBound) << size << " GB";
  }
}

TEST(MemoryByModules, AnEmptySlotDrawsNothing) {
  EXPECT_EQ(module_power({0, MemoryKind::ddr4, true}), Power{});
  EXPECT_EQ(module_power({-5, MemoryKind::ddr4, true}), Power{});
}

TEST(RateMemory, TakesTheModulesWhereTheyHoldWhatTheKernelManages) {
  const std::vector<MemoryModule> modules(8, {gb(32), MemoryKind::ddr4, true});
  const RatedMemory known = rate_memory(gb(252), modules);
  EXPECT_EQ(known.power, memory_power(modules));
  EXPECT_EQ(known.bound, kModulesBound);
  EXPECT_NE(known.source.find("8 modules"), std::string::npos) << known.source;
}

TEST(RateMemory, TakesTheSizeWhereTheModulesDoNotFitIt) {
  const std::vector<MemoryModule> modules(8, {gb(32), MemoryKind::ddr4, true});
  for (const double size : {260.0, 100.0, 1024.0}) {
    EXPECT_EQ(rate_memory(gb(size), modules).power, memory_power(gb(size))) << size;
    EXPECT_EQ(rate_memory(gb(size), modules).bound, kMemorySizeBound);
  }
  EXPECT_EQ(rate_memory(gb(16), {}).power, memory_power(gb(16)));
  const std::vector<MemoryModule> absurd(40, {INT64_MAX, MemoryKind::ddr4, true});
  EXPECT_EQ(rate_memory(gb(16), absurd).power, memory_power(gb(16)));
}

}  // namespace
}  // namespace codecarbon::modelled
