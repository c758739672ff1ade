#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/host.hpp"

namespace codecarbon {

/// Cores of one kind of an ARM machine, by the numbers that stand for maker and design.
struct ArmCores {
  int implementer = 0;
  int part = 0;
  int count = 0;  ///< of those that were looked at; the machine may have more

  bool operator==(const ArmCores&) const = default;
};

/// What the machine says about its processors.
struct CpuIdentity {
  std::string model;   ///< as the kernel gives it; empty when it gives none (most ARM machines)
  std::string vendor;  ///< "GenuineIntel", "AuthenticAMD"; empty on other architectures
  int logical = 0;     ///< logical processors that are online; 0 when unknown
  int sockets = 1;     ///< at least 1
  bool virtual_machine = false;

  // Only x86 says these.
  int family = 0;                  ///< with `model_number` the generation; 0 when unknown
  int model_number = 0;            ///< 0 when unknown
  double threads_per_core = 1;     ///< mean, where cores differ; at least 1
  std::optional<double> base_ghz;  ///< the rate of the time stamp counter: the guaranteed clock

  // Only ARM says these.
  std::vector<ArmCores> arm_cores;
  std::string board;  ///< "Raspberry Pi 4 Model B Rev 1.4"; empty when the firmware names none
};

/// Reads as little as it can: on a machine with hundreds of processors the whole of /proc/cpuinfo
/// takes milliseconds, so only its beginning is read where /sys knows the number of processors.
/// Whatever cannot be read stays empty. Only files below the host's root count.
CpuIdentity read_cpu_identity(const Host& host);

/// The number of logical processors that /proc/stat has a line for; 0 when it cannot be read.
int processors_in_stat(const Host& host);

/// Memory that the kernel manages (MemTotal), in bytes; missing when it cannot be read.
std::optional<std::int64_t> memory_total_bytes(const Host& host);

/// The value, in bytes, of one line such as "MemTotal: 16384000 kB" of /proc/meminfo; missing when
/// there is no such line or it holds no number.
std::optional<std::int64_t> meminfo_bytes(std::string_view meminfo, std::string_view key);

}  // namespace codecarbon
