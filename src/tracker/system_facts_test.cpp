#include "tracker/system_facts.hpp"

#include <gtest/gtest.h>

#include "host/machine_copy.hpp"
#include "sensors/modelled/modelled.hpp"
#include "units/gigabytes.hpp"

namespace codecarbon {
namespace {

SystemReport describe(std::string_view name, const SensorSettings& settings = {}) {
  const Host host(testing_support::machine(name), Environment{}, std::make_shared<SystemClock>());
  Equipment equipment;
  equipment.probes = modelled::discover(host, settings).probes;
  equipment.uses.resize(equipment.sensors().size());
  return describe_system(host, equipment);
}

TEST(SystemFacts, AContainerHasTheProcessorsOfTheMachineAndItsOwnMemory) {
  const double limit_gb = gigabytes(100.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(describe("container-big-host").cpu_count, 128);
  EXPECT_DOUBLE_EQ(describe("container-big-host").ram_total_gb, limit_gb);
  SensorSettings forced;
  forced.forced_ram_power = Power::from_watts(5);
  EXPECT_DOUBLE_EQ(describe("container-big-host", forced).ram_total_gb, limit_gb);
}

TEST(SystemFacts, AMachineHasWhatIsFitted) {
  EXPECT_DOUBLE_EQ(describe("xeon-2s-dram").ram_total_gb, gigabytes(196608000.0 * 1024));
}

}  // namespace
}  // namespace codecarbon
