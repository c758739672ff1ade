#include "sensors/battery/battery.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <string>

#include "host/machine_copy.hpp"
#include "readings/discovery_fixture.hpp"
#include "readings/power_integrator.hpp"
#include "sensors/battery/supply_text.hpp"

namespace codecarbon::battery {
namespace {

using testing_support::read;

using std::chrono::seconds;
using testing_support::machine;
using testing_support::MachineCopy;

std::string path(std::string_view file) {
  return "sys/class/power_supply/" + std::string(file);
}

tl::unexpected<ReadFault> fault(ReadFault why) {
  return tl::unexpected(why);
}

TEST(SupplyText, Statuses) {
  EXPECT_EQ(parse_status("Discharging\n"), static_cast<std::int64_t>(Status::discharging));
  EXPECT_EQ(parse_status("Charging"), static_cast<std::int64_t>(Status::charging));
  for (const char* idle : {"Full", "Not charging\n", "Unknown"}) {
    EXPECT_EQ(parse_status(idle), static_cast<std::int64_t>(Status::idle));
  }
  for (const char* text : {"", "discharging", "Discharging now", "1"}) {
    EXPECT_FALSE(parse_status(text)) << text;
  }
}

TEST(SupplyText, TheSignOfAFigureMeansNothing) {
  EXPECT_TRUE(rc::check([] {
    const auto value = *rc::gen::nonNegative<std::int64_t>();
    RC_ASSERT(parse_magnitude(std::to_string(value)) == value);
    RC_ASSERT(parse_magnitude(std::to_string(-value) + "\n") == value);
  }));
  EXPECT_FALSE(parse_magnitude(std::to_string(std::numeric_limits<std::int64_t>::min())));
  EXPECT_FALSE(parse_magnitude("x"));
}

/// The laptop of tests/machines on its battery, and what is found there.
class OnBattery : public testing::Test {
 protected:
  Discovery look() const { return discover(laptop_.host(), {}); }
  Finding::Outcome outcome() const { return look().findings.at(0).outcome; }

  MachineCopy laptop_{machine("laptop-on-battery")};
};

TEST_F(OnBattery, WhatTheBatteriesGiveIsThePowerOfTheMachine) {
  const Discovery found = look();
  ASSERT_EQ(found.probes.size(), 1U);
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].outcome, Finding::Outcome::found);
  const SensorInfo& info = found.probes[0]->sensors()[0];
  EXPECT_EQ(info.domain.kind, DomainKind::node);
  EXPECT_EQ(info.quantity, Quantity::power);
  EXPECT_NE(info.source.find("BAT0 + BAT1"), std::string::npos) << "and no mouse";
  EXPECT_EQ(read(*found.probes[0]).value, 9'850'000);
  laptop_.write(path("BAT1/status"), "Discharging\n");
  laptop_.write(path("BAT1/power_now"), -2'000'000);
  EXPECT_EQ(read(*found.probes[0]).value, 11'850'000);
}

TEST_F(OnBattery, CurrentTimesVoltageServesWhereThereIsNoPower) {
  laptop_.remove(path("BAT0/power_now"));
  laptop_.write(path("BAT0/current_now"), -1'234'000);
  laptop_.write(path("BAT0/voltage_now"), 11'500'000);
  const Discovery found = look();
  ASSERT_EQ(found.probes.size(), 1U);
  EXPECT_EQ(read(*found.probes[0]).value, 14'191'000);
  laptop_.remove(path("BAT0/voltage_now"));
  EXPECT_TRUE(look().probes.empty());
  EXPECT_EQ(outcome(), Finding::Outcome::unsupported);
}

TEST_F(OnBattery, PluggedInItIsNoMeterOfTheMachine) {
  laptop_.write(path("AC/online"), 1);
  EXPECT_TRUE(look().probes.empty()) << "whatever the battery says";
  EXPECT_EQ(outcome(), Finding::Outcome::absent);
  laptop_.write(path("AC/online"), 0);
  for (const char* status : {"Charging\n", "Full\n", "Not charging\n"}) {
    laptop_.write(path("BAT0/status"), status);
    EXPECT_TRUE(look().probes.empty()) << status;
    EXPECT_EQ(outcome(), Finding::Outcome::absent);
  }
}

TEST_F(OnBattery, AMinuteWithAPlugInTheMiddleIsAGapOfThatFigure) {
  const Discovery found = look();
  Probe& probe = *found.probes[0];
  PowerIntegrator integrator(probe.sensors()[0]);
  Duration missing{};
  Energy counted;
  std::int64_t truth = 0;
  for (int second = 0; second <= 60; ++second) {
    const bool plugged = second >= 20 && second < 30;
    laptop_.write(path("AC/online"), plugged ? 1 : 0);
    const auto interval = integrator.advance(read(probe, MonoTime{} + seconds(second)));
    if (!interval) continue;
    if (interval->gap) {
      missing += interval->gap->length;
      continue;
    }
    counted += interval->energy;
    truth += 9'850'000;
  }
  EXPECT_EQ(missing, seconds(11));
  EXPECT_EQ(counted, Energy::from_uj(truth));
  EXPECT_EQ(truth, 49 * 9'850'000);
}

TEST_F(OnBattery, ABadFileIsAFaultAndTheNextGoodOneServes) {
  const Discovery found = look();
  Probe& probe = *found.probes[0];
  const std::pair<const char*, ReadFault> bad[] = {{"", ReadFault::empty},
                                                   {"x\n", ReadFault::garbage},
                                                   {"0\n", ReadFault::empty},
                                                   {"1000000001\n", ReadFault::garbage}};
  for (const auto& [text, why] : bad) {
    laptop_.write(path("BAT0/power_now"), text);
    EXPECT_EQ(read(probe).value, fault(why)) << text;
  }
  laptop_.write(path("BAT0/power_now"), 5'000'000);
  laptop_.write(path("AC/online"), "garbage\n");
  EXPECT_EQ(read(probe).value, 5'000'000) << "the status decides";
  laptop_.write(path("BAT0/status"), "On fire\n");
  EXPECT_EQ(read(probe).value, fault(ReadFault::garbage));
  laptop_.remove(path("BAT0"));
  EXPECT_EQ(read(probe).value, fault(ReadFault::gone));
}

TEST_F(OnBattery, FilesThatAreBadFromTheBeginningAreNamed) {
  laptop_.write(path("BAT0/power_now"), std::string(1'000'000, '7'));
  EXPECT_TRUE(look().probes.empty());
  EXPECT_EQ(outcome(), Finding::Outcome::unsupported);
  laptop_.remove(path("BAT0/status"));
  EXPECT_TRUE(look().probes.empty());
  EXPECT_EQ(outcome(), Finding::Outcome::unsupported);
}

TEST(NoBattery, SaysSoInOneLine) {
  const MachineCopy empty;
  empty.write(path("AC/type"), "Mains\n");
  const Discovery found = discover(empty.host(), {});
  EXPECT_TRUE(found.probes.empty());
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].outcome, Finding::Outcome::absent);
}

}  // namespace
}  // namespace codecarbon::battery
