#include "sensors/simulated/dial.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

namespace codecarbon::simulated {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::int64_t kWatt = 1'000'000;
constexpr std::int64_t kJoule = 1'000'000;

/// 10 W from time zero on.
DomainScript ten_watts(std::vector<Fault> faults = {}) {
  DomainScript script;
  script.power = Profile::constant(10 * kWatt);
  script.faults = std::move(faults);
  return script;
}

DomainScript ten_watt_gauge(std::vector<Fault> faults = {}) {
  DomainScript script = ten_watts(std::move(faults));
  script.quantity = Quantity::power;
  return script;
}

Dial::Shown fault(ReadFault why) {
  return tl::unexpected(why);
}

/// What is shown at each second from 0 on.
std::vector<Dial::Shown> each_second(const DomainScript& script, int count) {
  const auto dial = make_energy_dial(script);
  std::vector<Dial::Shown> shown;
  for (int i = 0; i < count; ++i) shown.push_back(dial->show(seconds(i)));
  return shown;
}

std::vector<Dial::Shown> joules(std::initializer_list<std::int64_t> values) {
  std::vector<Dial::Shown> shown;
  for (const std::int64_t value : values) shown.emplace_back(value * kJoule);
  return shown;
}

TEST(CounterDial, DifferencesAreTheTruthWhateverRangeAndStart) {
  EXPECT_TRUE(rc::check([] {
    DomainScript script;
    script.power = Profile::sum(
        {Profile::square(*rc::gen::inRange<std::int64_t>(0, 90 * kWatt), 250 * kWatt,
                         milliseconds(7), std::chrono::microseconds(2'345)),
         Profile::ramp(0, *rc::gen::inRange<std::int64_t>(0, 90 * kWatt), seconds(3))});
    const auto range = *rc::gen::inRange<std::int64_t>(5 * kJoule, 500 * kJoule);
    script.range = Energy::from_uj(range);
    script.start = Energy::from_uj(*rc::gen::inRange<std::int64_t>(0, range));
    const auto dial = make_energy_dial(script);
    Duration t{};
    Wide before = dial->show(t).value();
    RC_ASSERT(before == script.start.uj());
    for (int i = 0; i < 50; ++i) {
      const Duration from = t;
      // Never a whole range between two looks: 430 W for at most 10 ms.
      t += Duration(*rc::gen::inRange<std::int64_t>(0, 10'000'000));
      const Wide now = dial->show(t).value();
      RC_ASSERT(now >= 0 && now < range);
      const Wide step = now >= before ? now - before : now - before + range;
      RC_ASSERT(step == energy_uj_until(script.power, t) - energy_uj_until(script.power, from));
      before = now;
    }
  }));
}

TEST(CounterDial, WrapsAtItsRange) {
  DomainScript script = ten_watts();
  script.range = Energy::from_uj(25 * kJoule);
  EXPECT_EQ(each_second(script, 6), joules({0, 10, 20, 5, 15, 0}));
}

TEST(CounterDial, StepsByItsResolutionAcrossAWrap) {
  DomainScript script = ten_watts();
  script.resolution = Energy::from_uj(4 * kJoule);
  script.range = Energy::from_uj(25 * kJoule);
  EXPECT_EQ(each_second(script, 5), joules({0, 8, 20, 3, 15}));
}

TEST(CounterDial, LagsByItsUpdatePeriod) {
  DomainScript script = ten_watts();
  script.update_period = seconds(2);
  EXPECT_EQ(each_second(script, 6), joules({0, 0, 20, 20, 40, 40}));
}

TEST(CounterDial, WithoutARangeItStopsAtTheLargestNumber) {
  DomainScript script;
  script.power = Profile::constant(100'000 * kWatt);
  const auto shown = make_energy_dial(script)->show(Duration::max());
  EXPECT_EQ(shown.value(), std::numeric_limits<std::int64_t>::max());
}

struct Answer {
  FaultKind kind;
  Dial::Shown shown;
};

class Answers : public testing::TestWithParam<Answer> {};

TEST_P(Answers, TakeThePlaceOfTheNumberAndLoseNothing) {
  const Fault fault{GetParam().kind, seconds(1), seconds(3), 0};
  auto expected = joules({0, 10, 20, 30});
  expected[1] = expected[2] = GetParam().shown;
  EXPECT_EQ(each_second(ten_watts({fault}), 4), expected);
  const auto gauge = each_second(ten_watt_gauge({fault}), 4);
  EXPECT_EQ(gauge[0], Dial::Shown(10 * kWatt));
  EXPECT_EQ(gauge[1], GetParam().shown);
  EXPECT_EQ(gauge[3], Dial::Shown(10 * kWatt));
}

INSTANTIATE_TEST_SUITE_P(All, Answers,
                         testing::Values(Answer{FaultKind::empty, fault(ReadFault::empty)},
                                         Answer{FaultKind::garbage, fault(ReadFault::garbage)},
                                         Answer{FaultKind::unreadable,
                                                fault(ReadFault::unreadable)},
                                         Answer{FaultKind::disappear, fault(ReadFault::gone)},
                                         Answer{FaultKind::zero, 0}));

TEST(CounterDial, FrozenItStandsStillAndCatchesUp) {
  const Fault freeze{FaultKind::freeze, milliseconds(1'500), seconds(4), 0};
  const auto shown = each_second(ten_watts({freeze}), 5);
  EXPECT_EQ(shown[1], Dial::Shown(10 * kJoule));
  EXPECT_EQ(shown[2], Dial::Shown(15 * kJoule));
  EXPECT_EQ(shown[3], Dial::Shown(15 * kJoule));
  EXPECT_EQ(shown[4], Dial::Shown(40 * kJoule));
}

TEST(CounterDial, StuckItNeverShowsWhatFlowedMeanwhile) {
  const Fault stuck{FaultKind::stuck, seconds(1), seconds(3), 0};
  EXPECT_EQ(each_second(ten_watts({stuck}), 5), joules({0, 10, 10, 10, 20}));
}

TEST(CounterDial, ResetItStartsAgainFromZero) {
  DomainScript script = ten_watts({{FaultKind::reset, seconds(2), seconds(2), 0},
                                   {FaultKind::reset, seconds(4), seconds(4), 0}});
  script.start = Energy::from_uj(100 * kJoule);
  EXPECT_EQ(each_second(script, 6), joules({100, 110, 0, 10, 0, 10}));
}

TEST(CounterDial, AGlitchIsShownOnce) {
  const auto dial = make_energy_dial(
      ten_watts({{FaultKind::glitch, milliseconds(1'500), milliseconds(1'500), -50 * kJoule}}));
  EXPECT_EQ(dial->show(seconds(1)), Dial::Shown(10 * kJoule));
  EXPECT_EQ(dial->show(seconds(2)), Dial::Shown(-30 * kJoule));
  EXPECT_EQ(dial->show(seconds(2)), Dial::Shown(20 * kJoule));
  EXPECT_EQ(dial->show(seconds(3)), Dial::Shown(30 * kJoule));
}

TEST(GaugeDial, ShowsThePowerOfTheMoment) {
  DomainScript script = ten_watt_gauge();
  script.power = Profile::steps({{seconds(0), 1}, {seconds(1), 5}});
  EXPECT_EQ(each_second(script, 3), (std::vector<Dial::Shown>{1, 5, 5}));
}

TEST(GaugeDial, AveragesOverItsWindow) {
  DomainScript script = ten_watt_gauge();
  script.power = Profile::steps({{seconds(0), 0}, {seconds(1), 8}});
  script.averaging = seconds(2);
  EXPECT_EQ(each_second(script, 5), (std::vector<Dial::Shown>{0, 0, 4, 8, 8}));
}

TEST(GaugeDial, AWindowThatBeganBeforeTheMachineCoversOnlyItsLife) {
  DomainScript script = ten_watt_gauge();
  script.averaging = seconds(10);
  EXPECT_EQ(each_second(script, 3), std::vector<Dial::Shown>(3, 10 * kWatt));
}

TEST(UtilizationDial, ShowsTheMeanSinceTheLastLook) {
  const Profile profile = Profile::steps({{seconds(0), 0}, {seconds(1), 1'000'000}});
  const auto dial = make_utilization_dial(profile, {});
  EXPECT_EQ(dial->show(seconds(2)), Dial::Shown(500'000));
  EXPECT_EQ(dial->show(seconds(2)), Dial::Shown(500'000));
  EXPECT_EQ(dial->show(seconds(3)), Dial::Shown(1'000'000));
}

TEST(UsageDials, OnlyALostDeviceTakesTheirAnswerAway) {
  const std::vector<Fault> faults{{FaultKind::empty, seconds(0), seconds(5), 0},
                                  {FaultKind::disappear, seconds(2), seconds(3), 0}};
  const auto load = make_utilization_dial(Profile::constant(7), faults);
  const auto memory = make_memory_dial(Profile::constant(9), faults);
  EXPECT_EQ(load->show(seconds(1)), Dial::Shown(7));
  EXPECT_EQ(memory->show(seconds(1)), Dial::Shown(9));
  EXPECT_EQ(load->show(seconds(2)), fault(ReadFault::gone));
  EXPECT_EQ(memory->show(seconds(2)), fault(ReadFault::gone));
  EXPECT_EQ(memory->show(seconds(3)), Dial::Shown(9));
}

}  // namespace
}  // namespace codecarbon::simulated
