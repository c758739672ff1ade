#include "sensors/modelled/memory_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace codecarbon::modelled {
namespace {

constexpr double kOneModuleGb = 8;
constexpr double kWattsPerModule = 3;
constexpr double kWattsPerGb = 0.03;
constexpr double kUnregistered = 2.0 / 3;

/// As a multiple of DDR4: with the square of the supply voltage, by and large.
double kind_factor(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::ddr3:
      return 1.33;
    case MemoryKind::ddr5:
      return 0.9;
    case MemoryKind::low_power:
      return 0.33;
    case MemoryKind::ddr4:
    case MemoryKind::unknown:
      break;
  }
  return 1;
}

double gigabytes_of(std::int64_t bytes) {
  return static_cast<double>(std::max<std::int64_t>(bytes, 0)) * 1e-9;
}

std::int64_t bytes_of(std::span<const MemoryModule> modules) {
  constexpr std::int64_t kMost = std::int64_t{1} << 50;  // a petabyte is no memory
  std::int64_t sum = 0;
  for (const MemoryModule& module : modules) {
    sum = std::min(kMost, sum + std::clamp<std::int64_t>(module.bytes, 0, kMost));
  }
  return sum;
}

}  // namespace

Power module_power(const MemoryModule& module) {
  if (module.bytes <= 0) return {};
  const double own = kWattsPerModule * (module.registered ? 1 : kUnregistered);
  return Power::from_watts(kind_factor(module.kind) *
                           (own + kWattsPerGb * gigabytes_of(module.bytes)));
}

Power memory_power(std::span<const MemoryModule> modules) {
  Power sum;
  for (const MemoryModule& module : modules) sum += module_power(module);
  return sum;
}

Power memory_power(std::int64_t bytes) {
  const double gb = gigabytes_of(bytes);
  return Power::from_watts(kWattsPerModule * std::sqrt(gb / kOneModuleGb) + kWattsPerGb * gb);
}

RatedMemory rate_memory(std::int64_t total, std::span<const MemoryModule> modules) {
  const std::int64_t fitted = bytes_of(modules);
  // A share of the modules, as a container may see, is no set of modules: so not much more either.
  if (total > 0 && fitted >= total && fitted / 4 * 3 <= total) {
    const Power power = memory_power(modules);
    return {power, kModulesBound,
            fmt::format("{} modules of {:.1f} GB in all, about {:.1f} W", modules.size(),
                        gigabytes_of(fitted), power.watts())};
  }
  const Power power = memory_power(total);
  return {power, kMemorySizeBound,
          fmt::format("{:.1f} GB fitted, about {:.1f} W", gigabytes_of(total), power.watts())};
}

}  // namespace codecarbon::modelled
