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

TEST(CpuIdentity, ReadsWhatAProcessorOfX86SaysOfItself) {
  const MachineCopy machine;
  machine.write("sys/devices/system/cpu/online", "0-31\n");
  machine.write("proc/cpuinfo",
                "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 160\n"
                "model name\t: AMD EPYC 8024P 8-Core Processor\nsiblings\t: 16\n"
                "cpu cores\t: 8\nbogomips\t: 4800.12\n\nprocessor\t: 1\nbogomips\t: 9600\n");
  const CpuIdentity cpu = read_cpu_identity(machine.host());
  EXPECT_EQ(cpu.family, 25);
  EXPECT_EQ(cpu.model_number, 160);
  EXPECT_EQ(cpu.threads_per_core, 2);
  EXPECT_EQ(cpu.sockets, 2);
  ASSERT_TRUE(cpu.base_ghz);
  EXPECT_NEAR(*cpu.base_ghz, 2.4, 0.001);
  EXPECT_TRUE(cpu.arm_cores.empty());
}

TEST(CpuIdentity, WhatIsNoNumberStaysUnknown) {
  for (const char* value : {"", "x", "-1", "nan", "inf", "1e300", "99999999999999999999"}) {
    const MachineCopy machine;
    std::string text = "processor : 0\n";
    for (const char* key : {"cpu family", "model", "siblings", "cpu cores", "bogomips"}) {
      text += std::string(key) + " : " + value + "\n";
    }
    machine.write("proc/cpuinfo", text);
    const CpuIdentity cpu = read_cpu_identity(machine.host());
    EXPECT_EQ(cpu.family, 0) << value;
    EXPECT_EQ(cpu.model_number, 0) << value;
    EXPECT_EQ(cpu.threads_per_core, 1) << value;
    EXPECT_EQ(cpu.base_ghz, std::nullopt) << value;
  }
}

TEST(CpuIdentity, CountsTheKindsOfArmCoresAndNamesTheBoard) {
  const CpuIdentity pi = read_cpu_identity(MachineCopy(machine("raspberry-pi")).host());
  EXPECT_EQ(pi.board, "Raspberry Pi 4 Model B Rev 1.4");
  EXPECT_EQ(pi.arm_cores, (std::vector<ArmCores>{{0x41, 0xd08, 4}}));

  const MachineCopy mixed;
  mixed.write("proc/cpuinfo",
              "processor : 0\nCPU implementer : 0x41\nCPU part : 0xd05\n"
              "processor : 1\nCPU implementer : 0x41\nCPU part : 0xd0b\n"
              "processor : 2\nCPU implementer : 0x41\nCPU part : 0xd0b\n"
              "processor : 3\nCPU implementer : what\nCPU part : 0xd0b\n"
              "processor : 4\nCPU implementer : 0x41\nCPU part :\n");
  mixed.write("sys/firmware/devicetree/base/model", std::string_view("Radxa ROCK 5B\0x", 15));
  const CpuIdentity cpu = read_cpu_identity(mixed.host());
  EXPECT_EQ(cpu.arm_cores, (std::vector<ArmCores>{{0x41, 0xd05, 1}, {0x41, 0xd0b, 2}}));
  EXPECT_EQ(cpu.board, "Radxa ROCK 5B");
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
