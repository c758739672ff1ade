#include "sensors/all.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "host/machine_copy.hpp"

namespace codecarbon {
namespace {

using testing_support::machine;
using testing_support::MachineCopy;

TEST(BackEnds, NamesAreOfOneBackEndEach) {
  std::set<std::string_view> names;
  for (const BackEnd& back_end : all_back_ends()) {
    EXPECT_TRUE(names.insert(back_end.name).second) << back_end.name;
    EXPECT_FALSE(back_end.summary.empty());
  }
}

TEST(BackEnds, OneThatPlaysAMachineComesFirstAndTheModelAfterAllThatMeasure) {
  EXPECT_EQ(all_back_ends().front().name, "simulated");
  const auto last = all_back_ends().last(2);
  EXPECT_EQ(last[0].name, "modelled");
  EXPECT_EQ(last[1].name, "process");  // has no sensors
}

TEST(BackEnds, OnABoardWithoutAnythingEachSaysWhyAndOnlyTheModelHasSensors) {
  const MachineCopy board(machine("raspberry-pi"));
  for (const BackEnd& back_end : all_back_ends()) {
    const bool measures = back_end.name != "simulated" && back_end.name != "modelled";
    if (!measures || back_end.kind == BackEnd::Kind::processes) continue;
    const auto found = back_end.discover(board.host(), {});
    ASSERT_TRUE(found) << back_end.name;
    EXPECT_TRUE(found->probes.empty()) << back_end.name;
    ASSERT_EQ(found->findings.size(), 1U) << back_end.name;
    EXPECT_EQ(found->findings[0].outcome, Finding::Outcome::absent) << back_end.name;
    EXPECT_FALSE(found->findings[0].reason.empty()) << back_end.name;
  }
}

/// Every sensor of every fake machine keeps what a SensorInfo promises.
TEST(BackEnds, SensorsOfAllMachinesAreWhole) {
  const auto machines = machine("raspberry-pi").parent_path();
  for (const auto& folder : std::filesystem::directory_iterator(machines)) {
    const Host host(folder.path(), Environment{}, std::make_shared<ManualClock>());
    for (const BackEnd& back_end : all_back_ends()) {
      const auto found = back_end.discover(host, {});
      ASSERT_TRUE(found) << folder.path();
      for (const auto& probe : found->probes) {
        for (const SensorInfo& sensor : probe->sensors()) {
          EXPECT_FALSE(sensor.domain.name.empty()) << folder.path() << " " << back_end.name;
          EXPECT_FALSE(sensor.source.empty()) << folder.path() << " " << back_end.name;
          EXPECT_GE(sensor.domain.index, 0);
          EXPECT_GT(sensor.plausible_power, Power{});
          EXPECT_GE(sensor.relative_bound, 0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace codecarbon
