#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "host/host.hpp"

namespace codecarbon {

/// What the machine says about its processors.
struct CpuIdentity {
  std::string model;   ///< as the kernel gives it; empty when it gives none (most ARM machines)
  std::string vendor;  ///< "GenuineIntel", "AuthenticAMD"; empty on other architectures
  int logical = 0;     ///< logical processors that are online; 0 when unknown
  int sockets = 1;     ///< at least 1
  bool virtual_machine = false;
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
