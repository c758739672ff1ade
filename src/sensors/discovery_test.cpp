#include "sensors/discovery.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>

namespace codecarbon {
namespace {

std::atomic<bool> hangs;
std::atomic<int> hanging;

Discovery found(std::string subject) {
  Discovery discovery;
  discovery.findings.push_back({Finding::Outcome::found, std::move(subject), "", ""});
  return discovery;
}
Result<Discovery> answer(const Host&, const SensorSettings&) {
  return found("answer");
}
Result<Discovery> hang(const Host&, const SensorSettings&) {
  ++hanging;
  hangs.wait(true);
  --hanging;
  return found("late");
}

using Kind = BackEnd::Kind;
constexpr auto kPlain = BackEnd{"plain", "", answer, Kind::plain};
constexpr auto kDriver = BackEnd{"driver", "", answer, Kind::driver};
constexpr auto kHanging = BackEnd{"hanging", "", hang, Kind::driver};

class DiscoveryTest : public testing::Test {
 protected:
  DiscoveryTest() { hangs = true; }
  ~DiscoveryTest() override {
    hangs = false;
    hangs.notify_all();
    while (hanging > 0) std::this_thread::yield();
  }
  std::vector<std::string> subjects(std::span<const BackEnd> back_ends) {
    std::vector<std::string> all;
    for (const auto& one : discover_all(back_ends, host, {}, std::chrono::milliseconds(200))) {
      all.push_back(one.value().findings.at(0).subject);
      const bool absent = one->findings[0].outcome == Finding::Outcome::absent;
      EXPECT_EQ(absent, !one->findings[0].reason.empty());
      EXPECT_EQ(absent, !one->findings[0].remedy.empty());
    }
    return all;
  }

  Host host{"/", Environment{}, std::make_shared<ManualClock>()};
};

using Subjects = std::vector<std::string>;

TEST_F(DiscoveryTest, AsksAllInTheirOrder) {
  EXPECT_EQ(subjects(std::array{kDriver, kPlain, kDriver}),
            (Subjects{"answer", "answer", "answer"}));
  EXPECT_EQ(subjects({}), Subjects{});
  EXPECT_EQ(subjects(std::array{kPlain}), Subjects{"answer"});
}

TEST_F(DiscoveryTest, DriversThatHangAreFindingsAndHoldNoOther) {
  EXPECT_EQ(subjects(std::array{kHanging, kDriver, kPlain, kHanging, kHanging, kDriver}),
            (Subjects{"hanging", "answer", "answer", "hanging", "hanging", "answer"}));
}

}  // namespace
}  // namespace codecarbon
