#include "host/machine_facts.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "host/machine_copy.hpp"

namespace codecarbon {
namespace {

using testing_support::machine;
using testing_support::MachineCopy;

TEST(CpuIdentity, CountsSocketsAndProcessorsWithAndWithoutSys) {
  const MachineCopy xeon(machine("xeon-2s-dram"));
  const CpuIdentity brief = read_cpu_identity(xeon.host());
  EXPECT_EQ(brief.model, "Intel(R) Xeon(R) Gold 5222 CPU @ 3.80GHz");
  EXPECT_EQ(brief.vendor, "GenuineIntel");
  EXPECT_EQ(brief.logical, 16);
  EXPECT_EQ(brief.sockets, 2);
  EXPECT_FALSE(brief.virtual_machine);

  xeon.remove("sys/devices");
  const CpuIdentity thorough = read_cpu_identity(xeon.host());
  EXPECT_EQ(thorough.model, brief.model);
  EXPECT_EQ(thorough.logical, brief.logical);
  EXPECT_EQ(thorough.sockets, brief.sockets);
}

TEST(CpuIdentity, KnowsAVirtualMachine) {
  const CpuIdentity vm = read_cpu_identity(MachineCopy(machine("vm-without-powercap")).host());
  EXPECT_TRUE(vm.virtual_machine);
  EXPECT_EQ(vm.logical, 2);
  EXPECT_EQ(vm.sockets, 1);
}

TEST(CpuIdentity, AMachineWithoutModelNameHasNoModel) {
  const CpuIdentity arm = read_cpu_identity(MachineCopy(machine("arm-server")).host());
  EXPECT_EQ(arm.model, "");
  EXPECT_EQ(arm.vendor, "");
  EXPECT_EQ(arm.logical, 4);
  EXPECT_EQ(arm.sockets, 1);
}

TEST(CpuIdentity, FallsBackToStatAndNeverToTheRealMachine) {
  const MachineCopy odd;
  EXPECT_EQ(read_cpu_identity(odd.host()).logical, 0);
  EXPECT_EQ(memory_total_bytes(odd.host()), std::nullopt);
  odd.write("proc/stat", "cpu  1 2 3 4\ncpu0 1 1 1 1\ncpu1 0 1 2 3\ncpu2 0 0 0 0\nintr 5\n");
  EXPECT_EQ(read_cpu_identity(odd.host()).logical, 3);
}

TEST(Meminfo, ReadsBytesOfTheLineThatIsAsked) {
  const std::string text = "MemTotal:        1024 kB\nMemFree:    12 kB\nMemAvailable:   7 kB\n";
  EXPECT_EQ(meminfo_bytes(text, "MemTotal:"), 1024 * 1024);
  EXPECT_EQ(meminfo_bytes(text, "MemAvailable:"), 7 * 1024);
  EXPECT_EQ(meminfo_bytes(text, "Cached:"), std::nullopt);
  EXPECT_EQ(meminfo_bytes("MemTotal: lots kB\n", "MemTotal:"), std::nullopt);
  EXPECT_EQ(meminfo_bytes("MemTotal: 9223372036854775807 kB\n", "MemTotal:"), std::nullopt);
}

TEST(Meminfo, AnyTextIsANumberOrNothing) {
  EXPECT_TRUE(rc::check("never negative, never a crash", [](const std::string& text) {
    const auto value = meminfo_bytes("MemTotal:" + text, "MemTotal:");
    RC_ASSERT(!value || *value >= 0);
  }));
}

}  // namespace
}  // namespace codecarbon
