#include "readings/selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace codecarbon {
namespace {

SensorInfo sensor(DomainKind kind, int index, std::string name, Method method = Method::measured) {
  SensorInfo info;
  info.domain = {kind, index, 0, std::move(name)};
  info.method = method;
  info.source = "test";
  return info;
}

/// Names of the sensors that are counted, by component.
std::map<Component, std::vector<std::string>> counted(const std::vector<SensorInfo>& sensors,
                                                      const SelectionPolicy& policy = {}) {
  std::vector<const SensorInfo*> pointers;
  for (const auto& info : sensors) pointers.push_back(&info);
  const auto uses = select_sensors(pointers, policy);
  std::map<Component, std::vector<std::string>> names;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (uses[i].component) {
      names[*uses[i].component].push_back(sensors[i].domain.name);
    } else {
      EXPECT_EQ(uses[i].reason.empty(), uses[i].node) << sensors[i].domain.name;
    }
  }
  return names;
}

using Names = std::vector<std::string>;

std::vector<SensorInfo> laptop() {
  return {sensor(DomainKind::package, 0, "package-0"),
          sensor(DomainKind::core, 0, "core"),
          sensor(DomainKind::uncore, 0, "uncore"),
          sensor(DomainKind::dram, 0, "dram"),
          sensor(DomainKind::psys, 0, "psys"),
          sensor(DomainKind::package, 0, "mmio"),
          sensor(DomainKind::cpu, 0, "cpu model", Method::modelled),
          sensor(DomainKind::ram, 0, "ram model", Method::modelled)};
}

TEST(Selection, OfATreeOnlyTheRootsAndEachOnce) {
  const auto names = counted(laptop());
  EXPECT_EQ(names.at(Component::cpu), Names{"package-0"});
  EXPECT_EQ(names.at(Component::ram), Names{"dram"});
}

TEST(Selection, PreferredPsysHoldsEverythingBelowIt) {
  SelectionPolicy policy;
  policy.prefer_psys = true;
  const auto names = counted(laptop(), policy);
  EXPECT_EQ(names.at(Component::cpu), Names{"psys"});
  EXPECT_FALSE(names.contains(Component::ram));
}

TEST(Selection, WithoutTheDramCounterTheModelServesInItsColumn) {
  SelectionPolicy policy;
  policy.include_dram = false;
  EXPECT_EQ(counted(laptop(), policy).at(Component::ram), Names{"ram model"});
}

TEST(Selection, TheLoadModelReplacesTheCountersOnlyWhenAsked) {
  SelectionPolicy policy;
  policy.force_cpu_load = true;
  EXPECT_EQ(counted(laptop(), policy).at(Component::cpu), Names{"cpu model"});
}

TEST(Selection, AForcedValueReplacesMeasurementAndModel) {
  auto sensors = laptop();
  sensors.push_back(sensor(DomainKind::cpu, 0, "forced cpu", Method::forced));
  sensors.push_back(sensor(DomainKind::ram, 0, "forced ram", Method::forced));
  const auto names = counted(sensors);
  EXPECT_EQ(names.at(Component::cpu), Names{"forced cpu"});
  EXPECT_EQ(names.at(Component::ram), Names{"forced ram"});
}

TEST(Selection, SocketsAndTheirMemoryAddUp) {
  const auto names =
      counted({sensor(DomainKind::package, 0, "package-0"), sensor(DomainKind::dram, 0, "dram-0"),
               sensor(DomainKind::package, 1, "package-1"), sensor(DomainKind::dram, 1, "dram-1")});
  EXPECT_EQ(names.at(Component::cpu), (Names{"package-0", "package-1"}));
  EXPECT_EQ(names.at(Component::ram), (Names{"dram-0", "dram-1"}));
}

TEST(Selection, ModelsServeWhereNothingIsMeasured) {
  const auto names = counted({sensor(DomainKind::cpu, 0, "cpu model", Method::modelled),
                              sensor(DomainKind::ram, 0, "ram model", Method::modelled)});
  EXPECT_EQ(names.at(Component::cpu), Names{"cpu model"});
  EXPECT_EQ(names.at(Component::ram), Names{"ram model"});
}

TEST(Selection, CoresCountOnlyWhereNoPackageDoes) {
  EXPECT_EQ(counted({sensor(DomainKind::core, 0, "core-0")}).at(Component::cpu), Names{"core-0"});
}

TEST(Selection, ACoreIsInsideThePackageOfItsOwnSocketOnly) {
  const auto package = [](int socket) {
    return sensor(DomainKind::package, socket, "package-" + std::to_string(socket));
  };
  const auto core = [](int socket) {
    return sensor(DomainKind::core, socket, "core-" + std::to_string(socket));
  };
  for (unsigned packages = 0; packages < 8; ++packages) {
    std::vector<SensorInfo> sensors;
    Names expected;
    for (int socket = 0; socket < 3; ++socket) {
      const bool whole = ((packages >> socket) & 1U) != 0;
      if (whole) sensors.push_back(package(socket));
      sensors.push_back(core(socket));
      sensors.push_back(sensor(DomainKind::uncore, socket, "uncore"));
      expected.push_back((whole ? package(socket) : core(socket)).domain.name);
    }
    EXPECT_EQ(counted(sensors).at(Component::cpu), expected) << packages;
    std::reverse(sensors.begin(), sensors.end());
    std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(counted(sensors).at(Component::cpu), expected) << packages << ", parts first";
  }
}

TEST(Selection, GpuIdsNameWhichDevicesCount) {
  const std::vector<SensorInfo> sensors = {sensor(DomainKind::gpu, 0, "a"),
                                           sensor(DomainKind::gpu, 1, "b"),
                                           sensor(DomainKind::gpu, 2, "c")};
  EXPECT_EQ(counted(sensors).at(Component::gpu), (Names{"a", "b", "c"}));
  SelectionPolicy policy;
  policy.gpu_ids = {"2", "0", "7"};
  EXPECT_EQ(counted(sensors, policy).at(Component::gpu), (Names{"a", "c"}));
  std::vector<const SensorInfo*> pointers;
  for (const auto& info : sensors) pointers.push_back(&info);
  EXPECT_EQ(unknown_gpu_ids(pointers, policy), Names{"7"});
  policy.gpu_ids = Names{};
  EXPECT_FALSE(counted(sensors, policy).contains(Component::gpu));
}

TEST(Selection, AMeterOfTheNodeIsReadBesideItsPartsAndNeverAdded) {
  const std::vector<SensorInfo> sensors = {sensor(DomainKind::package, 0, "package-0"),
                                           sensor(DomainKind::node, 0, "supply"),
                                           sensor(DomainKind::node, 0, "battery"),
                                           sensor(DomainKind::ram, 0, "memory", Method::modelled)};
  EXPECT_EQ(counted(sensors)[Component::cpu], Names{"package-0"});
  EXPECT_EQ(counted(sensors)[Component::ram], Names{"memory"});
  std::vector<const SensorInfo*> pointers;
  for (const auto& info : sensors) pointers.push_back(&info);
  const auto uses = select_sensors(pointers, {});
  EXPECT_TRUE(uses[1].node);
  EXPECT_FALSE(uses[2].is_used());  // one meter: another would count the node twice
}

TEST(Selection, AMeterOfAllProcessorsServesWhereTheirPackagesHaveNone) {
  const auto all = sensor(DomainKind::cpu, 0, "cpu_energy");
  const auto memory = sensor(DomainKind::ram, 0, "memory_energy");
  const auto cpu_model = sensor(DomainKind::cpu, 0, "cpu model", Method::modelled);
  const auto ram_model = sensor(DomainKind::ram, 0, "ram model", Method::modelled);
  auto chosen = counted({all, memory, cpu_model, ram_model});
  EXPECT_EQ(chosen[Component::cpu], Names{"cpu_energy"});
  EXPECT_EQ(chosen[Component::ram], Names{"memory_energy"});
  chosen = counted({sensor(DomainKind::package, 0, "package-0"),
                    sensor(DomainKind::dram, 0, "dram"), all, memory, cpu_model, ram_model});
  EXPECT_EQ(chosen[Component::cpu], Names{"package-0"});
  EXPECT_EQ(chosen[Component::ram], Names{"dram"});
}

TEST(Selection, OneThatGivesNothingYetMakesWayForOneThatWorks) {
  auto powercap = sensor(DomainKind::package, 0, "powercap");
  const auto perf = sensor(DomainKind::package, 0, "perf");
  EXPECT_EQ(counted({powercap, perf})[Component::cpu], Names{"powercap"});
  powercap.awaited = true;
  EXPECT_EQ(counted({powercap, perf})[Component::cpu], Names{"perf"});
  EXPECT_EQ(counted({powercap})[Component::cpu], Names{"powercap"});
}

TEST(Selection, AGpuThatTwoBackEndsSeeCountsOnceWhateverTheyCallIt) {
  auto of_vendor = sensor(DomainKind::gpu, 0, "MI250");
  of_vendor.domain.vendor = Vendor::amd;
  of_vendor.domain.bus_id = "0000:c1:00.0";
  auto of_kernel = of_vendor;
  of_kernel.domain.index = 3;
  of_kernel.domain.name = "amdgpu";
  EXPECT_EQ(counted({of_vendor, of_kernel})[Component::gpu], Names{"MI250"});
  const auto of_board = sensor(DomainKind::gpu, 0, "accel0");
  EXPECT_EQ(counted({of_vendor, of_board})[Component::gpu], Names{"MI250"});
  EXPECT_EQ(counted({of_board})[Component::gpu], Names{"accel0"});
  auto of_other = of_vendor;  // the first of another vendor has the same number
  of_other.domain = {DomainKind::gpu, 0, 0, "H100"};
  of_other.domain.vendor = Vendor::nvidia;
  EXPECT_EQ(counted({of_vendor, of_other})[Component::gpu], (Names{"MI250", "H100"}));
}

}  // namespace
}  // namespace codecarbon
