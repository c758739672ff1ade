#include "sensors/ipmi/ipmi.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <vector>

#include "host/machine_copy.hpp"
#include "readings/discovery_fixture.hpp"
#include "readings/power_integrator.hpp"

namespace codecarbon::ipmi {
namespace {

using testing_support::read;

using testing_support::MachineCopy;
using Bytes = std::vector<std::uint8_t>;
using std::chrono::seconds;

/// What a controller will answer; shared with the test.
struct Script {
  Bytes answer;
  int error = 0;
  std::vector<std::chrono::milliseconds> patience;
};

Bytes watts(int power) {
  return {0x00,
          0xdc,
          static_cast<std::uint8_t>(power & 0xff),
          static_cast<std::uint8_t>(power >> 8),
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0xe8,
          0x03,
          0,
          0,
          0x40};
}

class FakeDevice final : public Device {
 public:
  explicit FakeDevice(Script& script) : script_(script) {}
  tl::expected<std::size_t, int> ask(const Command& command, std::span<std::uint8_t> answer,
                                     std::chrono::milliseconds patience) override {
    EXPECT_EQ(command.function, 0x2c);
    EXPECT_EQ(command.number, 0x02);
    EXPECT_EQ(command.data[0], 0xdc);
    script_.patience.push_back(patience);
    if (script_.error != 0) return tl::unexpected<int>(int(script_.error));
    const std::size_t length = std::min(answer.size(), script_.answer.size());
    std::copy_n(script_.answer.begin(), length, answer.begin());
    return length;
  }

 private:
  Script& script_;
};

Discovery look(Script& script) {
  return discover_on(std::make_unique<FakeDevice>(script), "/dev/ipmi0");
}

TEST(Ipmi, TheBoardsMeterIsTheNodeAndMayHang) {
  Script script{watts(356), 0, {}};
  const Discovery found = look(script);
  ASSERT_EQ(found.probes.size(), 1U);
  EXPECT_EQ(found.findings.at(0).outcome, Finding::Outcome::found);
  Probe& probe = *found.probes[0];
  EXPECT_TRUE(probe.may_hang());
  EXPECT_EQ(probe.sensors()[0].domain.kind, DomainKind::node);
  EXPECT_EQ(probe.sensors()[0].quantity, Quantity::power);
  EXPECT_EQ(probe.sensors()[0].method, Method::measured);
  script.answer = watts(1200);
  EXPECT_EQ(read(probe).value, 1'200'000'000);
  EXPECT_LT(script.patience.at(0), std::chrono::milliseconds(500)) << "a start does not wait long";
}

TEST(Ipmi, AControllerWithoutPowerIsNoSensorAndSaysWhy) {
  const std::vector<Script> without = {
      {{0xc1}, 0, {}},   {{0xc0}, 0, {}},     {{0xd4}, 0, {}}, {{}, 0, {}},
      {watts(0), 0, {}}, {{}, ETIMEDOUT, {}}, {{}, EIO, {}},   {Bytes(1000, 0xff), 0, {}}};
  for (Script script : without) {
    const Discovery found = look(script);
    EXPECT_TRUE(found.probes.empty());
    ASSERT_EQ(found.findings.size(), 1U);
    EXPECT_EQ(found.findings[0].outcome, Finding::Outcome::unsupported);
    EXPECT_FALSE(found.findings[0].reason.empty());
  }
}

TEST(Ipmi, AFailedReadingSaysWhyAndTheNextOneServes) {
  Script script{watts(100), 0, {}};
  const Discovery found = look(script);
  Probe& probe = *found.probes[0];
  const std::vector<std::pair<Script, ReadFault>> faults = {
      {{{}, ETIMEDOUT, {}}, ReadFault::unreadable}, {{{}, ENODEV, {}}, ReadFault::gone},
      {{{0xc0}, 0, {}}, ReadFault::empty},          {{{0xc1}, 0, {}}, ReadFault::unreadable},
      {{{0x00, 0xdc}, 0, {}}, ReadFault::garbage},  {{watts(0), 0, {}}, ReadFault::empty}};
  for (const auto& [trouble, fault] : faults) {
    script = trouble;
    EXPECT_EQ(read(probe).value.error(), fault);
    script = {watts(200), 0, {}};
    EXPECT_EQ(read(probe).value, 200'000'000);
  }
}

TEST(Ipmi, AMinuteOfScriptedLoadIsExactWhileThePowerIsSteadyAndElseWithinTheBound) {
  Script script{watts(300), 0, {}};
  const Discovery found = look(script);
  Probe& probe = *found.probes[0];
  PowerIntegrator integrator(probe.sensors()[0]);
  const auto load = [](int second) { return second < 30 ? 300 : 500; };
  std::int64_t truth = 0;
  Energy counted;
  Energy bound;
  for (int second = 0; second <= 60; ++second) {
    if (second > 0) truth += load(second - 1) * 1'000'000LL;
    script.answer = watts(load(second));
    const auto interval = integrator.advance(read(probe, MonoTime{} + seconds(second)));
    if (!interval) continue;
    counted += interval->energy;
    bound += interval->bound;
  }
  EXPECT_EQ(bound, Energy::from_uj(100'000'000)) << "of the one step";
  EXPECT_LE(std::abs(counted.uj() - truth), bound.uj());
}

TEST(Ipmi, ADeviceOfAnotherMachineIsNotAsked) {
  const MachineCopy server;
  EXPECT_EQ(discover(server.host(), {}).findings.at(0).outcome, Finding::Outcome::absent);
  server.write("dev/ipmi0", "");
  const Discovery found = discover(server.host(), {});
  EXPECT_TRUE(found.probes.empty());
  EXPECT_EQ(found.findings.at(0).outcome, Finding::Outcome::unsupported);
}

TEST(Ipmi, AFileThatIsNoDeviceFailsWithoutHarm) {
  const MachineCopy server;
  server.write("dev/ipmi0", "");
  const auto device = open_device((server.root() / "dev/ipmi0").string());
  ASSERT_TRUE(device);
  std::array<std::uint8_t, kMostOfAnswer> answer{};
  EXPECT_FALSE((*device)->ask(kGetPowerReading, answer, std::chrono::milliseconds(1)));
  EXPECT_EQ(open_device((server.root() / "dev/ipmi1").string()).error(), ENOENT);
}

/// Whatever machine this runs on: something is said, and what is found can be read.
TEST(IpmiHere, SaysWhatIsThere) {
  const Host here("/", Environment{}, std::make_shared<SystemClock>());
  const Discovery found = discover(here, {});
  EXPECT_EQ(found.findings.size(), 1U);
}

}  // namespace
}  // namespace codecarbon::ipmi
