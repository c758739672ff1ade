#include "sensors/modelled/arm_core.hpp"

#include <algorithm>
#include <iterator>

#include "sensors/modelled/power_model.hpp"

namespace codecarbon::modelled {
namespace {

struct Design {
  int implementer;
  int part;
  std::string_view name;
  double watts;  // rated power of a processor or board that has them, by its cores
};

// Numbers: arch/arm64/include/asm/cputype.h of Linux 6.12 (2024). Watts: see docs/models.md.
constexpr Design kDesigns[] = {
    {0x41, 0xd03, "Cortex-A53", 1.3},  // Raspberry Pi 3B+: 5.1 W with four cores busy
    {0x41, 0xd05, "Cortex-A55", 0.6},
    {0x41, 0xd07, "Cortex-A57", 2.5},  // Jetson TX1: 10 W, four cores
    {0x41, 0xd08, "Cortex-A72", 1.6},  // Raspberry Pi 4B: 6.4 W with four cores busy
    {0x41, 0xd09, "Cortex-A73", 1.6},
    {0x41, 0xd0b, "Cortex-A76", 2.2},    // Raspberry Pi 5: about 8.8 W with four cores busy
    {0x41, 0xd0c, "Neoverse-N1", 2.3},   // Ampere Altra Q80-30 210 W, M128-30 250 W
    {0x41, 0xd40, "Neoverse-V1", 2.0},   // Graviton 3: about 130 W, 64 cores
    {0x41, 0xd42, "Cortex-A78AE", 2.2},  // Jetson AGX Orin
    {0x41, 0xd49, "Neoverse-N2", 2.0},   // Yitian 710: about 250 W, 128 cores
    {0x41, 0xd4f, "Neoverse-V2", 3.5},   // Grace superchip: 500 W, 144 cores, memory included
    {0x43, 0x0af, "ThunderX2", 5.6},     // CN9980: 180 W, 32 cores
    {0x46, 0x001, "A64FX", 3.5},         // 170 W, 48 cores
    {0x48, 0xd01, "TaiShan v110", 2.8},  // Kunpeng 920: 180 W, 64 cores
    {0xc0, 0xac3, "Ampere-1", 2.0},      // AmpereOne A192: 400 W at most, 192 cores
};

constexpr double kUnknownWatts = 2;

// Memory, network and everything else of a small board never sleep: boards of the Raspberry Pi draw
// 2.7 of 6.4 W (4B) and 1.9 of 5.1 W (3B+) with nothing to do.
constexpr double kBoardIdleShare = 0.4;

const Design* find_design(const ArmCores& cores) {
  const auto* const design =
      std::find_if(std::begin(kDesigns), std::end(kDesigns), [&](const Design& known) {
        return known.implementer == cores.implementer && known.part == cores.part;
      });
  return design == std::end(kDesigns) ? nullptr : design;
}

void add_name(std::string& names, std::string_view name) {
  if (!names.empty()) names += " and ";
  names += name;
}

}  // namespace

ArmRating rate_arm(std::span<const ArmCores> cores, std::string_view board) {
  ArmRating rating;
  int count = 0;
  double watts = 0;
  for (const ArmCores& kind : cores) {
    const Design* const design = find_design(kind);
    add_name(rating.cores, design == nullptr ? "unknown ARM cores" : design->name);
    watts += kind.count * (design == nullptr ? kUnknownWatts : design->watts);
    count += kind.count;
  }
  rating.watts_a_core = count > 0 ? watts / count : kUnknownWatts;
  rating.idle_share = board.starts_with("Raspberry Pi") ? kBoardIdleShare : kOneDieIdleShare;
  return rating;
}

}  // namespace codecarbon::modelled
