#include "sensors/modelled/clock_gauge.hpp"

#include <gtest/gtest.h>

#include <string>

#include "host/machine_copy.hpp"

namespace codecarbon::modelled {
namespace {

using testing_support::MachineCopy;

std::string clock_file(int policy) {
  return "sys/devices/system/cpu/cpufreq/policy" + std::to_string(policy) + "/scaling_cur_freq";
}

class ClockGaugeTest : public testing::Test {
 protected:
  ClockGaugeTest() {
    machine_.write("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
    cpu_.base_ghz = 2.0;
  }
  ClockGauge open() const { return ClockGauge::open(machine_.host(), cpu_); }

  MachineCopy machine_;
  CpuIdentity cpu_;
};

TEST_F(ClockGaugeTest, IsTheMeanOfWhatTheCoresSay) {
  machine_.write(clock_file(0), 1'000'000);
  machine_.write(clock_file(1), 3'000'000);
  const ClockGauge gauge = open();
  EXPECT_DOUBLE_EQ(gauge.of_base().value(), 1.0);
  machine_.write(clock_file(0), 3'000'000);
  EXPECT_DOUBLE_EQ(gauge.of_base().value(), 1.5);
}

TEST_F(ClockGaugeTest, ACoreThatSaysNothingIsLeftOut) {
  machine_.write(clock_file(0), 4'000'000);
  machine_.write(clock_file(1), 2'000'000);
  const ClockGauge gauge = open();
  for (const char* broken : {"", "<unknown>\n", "0\n", "-5\n", "999999999999999999999999"}) {
    machine_.write(clock_file(1), broken);
    EXPECT_DOUBLE_EQ(gauge.of_base().value(), 2.0) << broken;
  }
  machine_.write(clock_file(0), "");
  EXPECT_EQ(gauge.of_base(), std::nullopt);
}

TEST_F(ClockGaugeTest, OfManyCoresAFewAreAskedAndTheyAreSpread) {
  for (int policy = 0; policy < 128; ++policy) {
    machine_.write(clock_file(policy), policy < 64 ? 1'000'000 : 3'000'000);
  }
  EXPECT_DOUBLE_EQ(open().of_base().value(), 1.0);
}

TEST_F(ClockGaugeTest, KnowsNoneWithoutCpufreqOrABaseClock) {
  EXPECT_EQ(ClockGauge().of_base(), std::nullopt);
  EXPECT_EQ(open().of_base(), std::nullopt);
  machine_.write(clock_file(0), 1'000'000);
  cpu_.base_ghz.reset();
  EXPECT_EQ(open().of_base(), std::nullopt);
}

TEST_F(ClockGaugeTest, DoesNotAskAKernelThatWouldMakeItWait) {
  machine_.write(clock_file(0), 1'000'000);
  for (const char* release : {"", "5.10.0-28-amd64", "4.18.0-553.el8", "5.17.15", "x", "6", "6."}) {
    machine_.write("proc/sys/kernel/osrelease", release);
    EXPECT_EQ(open().of_base(), std::nullopt) << release;
  }
  for (const char* release : {"5.18.0", "6.0.1", "10.0"}) {
    machine_.write("proc/sys/kernel/osrelease", release);
    EXPECT_NE(open().of_base(), std::nullopt) << release;
  }
}

}  // namespace
}  // namespace codecarbon::modelled
