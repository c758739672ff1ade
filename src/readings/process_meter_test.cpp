#include "readings/process_meter.hpp"

#include <gtest/gtest.h>

namespace codecarbon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

MonoTime at(int second) {
  return MonoTime(seconds(second));
}

ProcessReading reading(Duration own, Duration busy, Duration capacity) {
  return {CpuTotals{own, busy, capacity, {}, milliseconds(10)}, MemoryUse{10, 20, 100}};
}

TEST(ProcessMeter, GivesWhatWasUsedBetweenTwoReadings) {
  ProcessMeter meter;
  EXPECT_FALSE(meter.advance(at(1), reading(seconds(7), seconds(10), seconds(100))));
  const auto use = meter.advance(at(3), reading(seconds(8), seconds(12), seconds(108)));
  ASSERT_TRUE(use && use->cpu);
  EXPECT_EQ(use->from, at(1));
  EXPECT_EQ(use->to, at(3));
  EXPECT_EQ(use->cpu->own, seconds(1));
  EXPECT_EQ(use->cpu->busy, seconds(2));
  EXPECT_EQ(use->cpu->capacity, seconds(8));
  EXPECT_EQ(use->cpu->busy_error, milliseconds(40)) << "a step at both ends of two processors";
}

TEST(ProcessMeter, MemoryIsTheMeanOfBothEnds) {
  ProcessMeter meter;
  meter.advance(at(1), {std::nullopt, MemoryUse{10, 20, 100}});
  const auto use = meter.advance(at(2), {std::nullopt, MemoryUse{20, 40, 100}});
  EXPECT_EQ(use->memory->own, 15);
  EXPECT_EQ(use->memory->used, 30);
  EXPECT_FALSE(use->cpu_share());
}

TEST(ProcessMeter, WhatIsUnknownAtOneEndIsUnknownInBetween) {
  ProcessMeter meter;
  meter.advance(at(1), reading(seconds(1), seconds(1), seconds(10)));
  auto use = meter.advance(at(2), {});
  ASSERT_TRUE(use);
  EXPECT_FALSE(use->cpu);
  EXPECT_FALSE(use->memory_share());
  EXPECT_FALSE(meter.advance(at(3), reading(seconds(2), seconds(2), seconds(20)))->cpu);
  EXPECT_TRUE(meter.advance(at(4), reading(seconds(3), seconds(3), seconds(30)))->cpu);
}

TEST(ProcessMeter, TimeThatFallsIsUnknown) {
  ProcessMeter meter;
  meter.advance(at(1), reading(seconds(5), seconds(5), seconds(10)));
  EXPECT_FALSE(meter.advance(at(2), reading(seconds(4), seconds(6), seconds(20)))->cpu);
  EXPECT_FALSE(meter.advance(at(3), reading(seconds(5), seconds(7), seconds(20)))->cpu);
  const auto use = meter.advance(at(4), reading(seconds(5), seconds(6), seconds(30)));
  EXPECT_EQ(use->cpu->busy, Duration::zero()) << "busy time may step back a little";
}

TEST(ProcessMeter, ReadsNoMoreOftenThanIsWorthWhile) {
  ProcessMeter meter;
  EXPECT_TRUE(meter.is_due(at(1), seconds(5)));
  meter.advance(at(1), {});
  EXPECT_FALSE(meter.is_due(at(1), seconds(5)));
  EXPECT_TRUE(meter.is_due(at(2), seconds(5))) << "else a short run had no share at all";
  meter.advance(at(2), {});
  EXPECT_FALSE(meter.is_due(at(6), seconds(5)));
  EXPECT_TRUE(meter.is_due(at(7), seconds(5)));
  meter.rebase();
  EXPECT_TRUE(meter.is_due(at(7), seconds(5)));
  EXPECT_FALSE(meter.advance(at(7), {}));
}

}  // namespace
}  // namespace codecarbon
