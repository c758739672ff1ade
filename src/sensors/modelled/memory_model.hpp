#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "codecarbon/units.hpp"

namespace codecarbon::modelled {

enum class MemoryKind { unknown, ddr3, ddr4, ddr5, low_power };

/// One memory module as the firmware or the memory controller's driver describes it.
struct MemoryModule {
  std::int64_t bytes = 0;
  MemoryKind kind = MemoryKind::unknown;
  bool registered = false;  ///< a server module, with a driver chip of its own

  bool operator==(const MemoryModule&) const = default;
};

/// Power of one module in ordinary use:
///
///     watts(kind, registered) + watts(kind) x GB
///
/// with 3 W and 0.03 W/GB for registered DDR4, a third less for an unregistered one, a third more
/// for DDR3 (1.5 V) and a tenth less for DDR5 (1.1 V); soldered low-power memory takes a third.
/// docs/models.md names the data sheets. Zero for an empty slot.
Power module_power(const MemoryModule& module);

/// Power of the modules together.
Power memory_power(std::span<const MemoryModule> modules);

/// Power of the memory fitted where only its size is known:
///
///     modules = sqrt(GB / 8)      P = 3 W x modules + 0.03 W x GB
///
/// Larger machines have more and larger modules, so both grow with the root of the size (8 GB: one;
/// 128 GB: 4 of 32 GB; 1 TB: 11 of 90 GB). 8 GB: 3.2 W, 64 GB: 10 W, 1 TB: 65 W. Continuous and
/// monotone; zero for nothing.
Power memory_power(std::int64_t bytes);

/// How far off they may be: a module at rest draws half, a busy one half as much again; by size
/// alone the number of modules may be wrong as well.
inline constexpr double kModulesBound = 0.5;
inline constexpr double kMemorySizeBound = 0.7;

/// The power of a machine's memory and where it comes from.
struct RatedMemory {
  Power power;
  double bound = 0;
  std::string source;  ///< for a person
};

/// By `modules` where they are known and hold as much as the kernel manages (`total`, in bytes), or
/// a little more: firmware keeps some. By size otherwise.
RatedMemory rate_memory(std::int64_t total, std::span<const MemoryModule> modules);

}  // namespace codecarbon::modelled
