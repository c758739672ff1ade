#include <gtest/gtest.h>

#include <string>

#include "host/machine_copy.hpp"
#include "sensors/nvml/nvml.hpp"

namespace codecarbon::nvml {
namespace {

using testing_support::MachineCopy;

Finding only_finding(const MachineCopy& machine) {
  const Discovery found = discover(machine.host(), {});
  EXPECT_TRUE(found.probes.empty());
  EXPECT_EQ(found.findings.size(), 1U);
  return found.findings.empty() ? Finding{} : found.findings.front();
}

TEST(NvmlAbsent, AMachineWithoutADriverIsOneQuietLine) {
  const MachineCopy bare;
  const Finding finding = only_finding(bare);
  EXPECT_EQ(finding.outcome, Finding::Outcome::absent);
  EXPECT_NE(finding.reason.find("no NVIDIA driver"), std::string::npos) << finding.reason;
}

TEST(NvmlAbsent, ADriverWithoutItsLibrarySaysHowToBringIt) {
  const MachineCopy container;
  container.write("proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64\n");
  EXPECT_NE(only_finding(container).remedy.find("utility"), std::string::npos);
}

TEST(NvmlAbsent, WhatIsNoLibraryIsNotLoaded) {
  for (const std::string& content : {std::string(), std::string("garbage"),
                                     std::string("\x7f"
                                                 "ELF"),
                                     std::string(1U << 20U, 'x')}) {
    for (const char* name : {"usr/lib/libnvidia-ml.so.1", "usr/lib64/libnvidia-ml.so.1"}) {
      const MachineCopy machine;
      machine.write(name, content);
      const Finding finding = only_finding(machine);
      EXPECT_EQ(finding.outcome, Finding::Outcome::unsupported);
      EXPECT_NE(finding.reason, "");
      EXPECT_NE(finding.remedy, "");
    }
  }
  const MachineCopy machine;
  machine.write("usr/lib/libnvidia-ml.so.1/a file in a folder", "");
  EXPECT_EQ(only_finding(machine).outcome, Finding::Outcome::unsupported);
}

}  // namespace
}  // namespace codecarbon::nvml
