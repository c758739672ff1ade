#include "sensors/modelled/generation.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace codecarbon::modelled {
namespace {

struct Models {
  std::string_view vendor;
  int family;
  int first;
  int last;
  Generation generation;
};

constexpr std::string_view kIntel = "GenuineIntel";
constexpr std::string_view kAmd = "AuthenticAMD";

// Numbers: arch/x86/include/asm/intel-family.h and arch/x86/kernel/cpu/amd.c of Linux 6.12 (2024).
// Process and dies: the makers' product pages. The first row that fits counts.
constexpr Models kModels[] = {
    {kIntel, 6, 15, 22, {65, false}},    // Core 2 (Merom)
    {kIntel, 6, 23, 23, {45, false}},    // Core 2 (Penryn)
    {kIntel, 6, 26, 31, {45, false}},    // Nehalem
    {kIntel, 6, 37, 37, {32, false}},    // Westmere
    {kIntel, 6, 42, 42, {32, false}},    // Sandy Bridge
    {kIntel, 6, 44, 45, {32, false}},    // Westmere-EP, Sandy Bridge-EP
    {kIntel, 6, 46, 46, {45, false}},    // Nehalem-EX
    {kIntel, 6, 47, 47, {32, false}},    // Westmere-EX
    {kIntel, 6, 55, 55, {22, false}},    // Silvermont
    {kIntel, 6, 58, 58, {22, false}},    // Ivy Bridge
    {kIntel, 6, 60, 60, {22, false}},    // Haswell
    {kIntel, 6, 61, 61, {14, false}},    // Broadwell
    {kIntel, 6, 62, 63, {22, false}},    // Ivy Bridge-EP, Haswell-EP
    {kIntel, 6, 69, 70, {22, false}},    // Haswell
    {kIntel, 6, 71, 71, {14, false}},    // Broadwell
    {kIntel, 6, 76, 76, {14, false}},    // Airmont
    {kIntel, 6, 77, 77, {22, false}},    // Silvermont server
    {kIntel, 6, 78, 79, {14, false}},    // Skylake mobile, Broadwell-EP
    {kIntel, 6, 85, 87, {14, false}},    // Skylake to Cooper Lake servers, Broadwell-DE, Xeon Phi
    {kIntel, 6, 92, 95, {14, false}},    // Goldmont, Skylake
    {kIntel, 6, 102, 102, {10, false}},  // Cannon Lake
    {kIntel, 6, 106, 108, {10, false}},  // Ice Lake servers
    {kIntel, 6, 122, 122, {14, false}},  // Goldmont Plus
    {kIntel, 6, 125, 126, {10, false}},  // Ice Lake
    {kIntel, 6, 133, 133, {14, false}},  // Xeon Phi
    {kIntel, 6, 134, 141, {10, false}},  // Tremont, Lakefield, Tiger Lake
    {kIntel, 6, 142, 142, {14, false}},  // Kaby Lake to Comet Lake mobile
    {kIntel, 6, 143, 143, {10, true}},   // Sapphire Rapids
    {kIntel, 6, 150, 156, {10, false}},  // Elkhart Lake, Alder Lake, Jasper Lake
    {kIntel, 6, 158, 158, {14, false}},  // Kaby Lake, Coffee Lake
    {kIntel, 6, 165, 167, {14, false}},  // Comet Lake, Rocket Lake
    {kIntel, 6, 170, 172, {4, false}},   // Meteor Lake
    {kIntel, 6, 173, 175, {3, true}},    // Granite Rapids, Sierra Forest
    {kIntel, 6, 181, 181, {3, false}},   // Arrow Lake mobile
    {kIntel, 6, 183, 183, {10, false}},  // Raptor Lake
    {kIntel, 6, 186, 186, {10, false}},  // Raptor Lake mobile
    {kIntel, 6, 189, 189, {3, false}},   // Lunar Lake
    {kIntel, 6, 190, 191, {10, false}},  // Alder Lake-N, Raptor Lake
    {kIntel, 6, 197, 198, {3, false}},   // Arrow Lake
    {kIntel, 6, 207, 207, {10, true}},   // Emerald Rapids
    {kAmd, 16, 0, 255, {45, false}},     // K10
    {kAmd, 18, 0, 255, {32, false}},     // Llano
    {kAmd, 20, 0, 255, {40, false}},     // Bobcat
    {kAmd, 21, 0, 31, {32, false}},      // Bulldozer, Piledriver
    {kAmd, 21, 32, 255, {28, false}},    // Steamroller, Excavator
    {kAmd, 22, 0, 255, {28, false}},     // Jaguar, Puma
    {kAmd, 23, 1, 1, {14, false}},       // Zen; EPYC and Threadripper have several dies
    {kAmd, 23, 8, 8, {12, false}},       // Zen+; likewise
    {kAmd, 23, 17, 17, {14, false}},     // Raven Ridge
    {kAmd, 23, 24, 24, {12, false}},     // Picasso
    {kAmd, 23, 32, 32, {14, false}},     // Dali
    {kAmd, 23, 48, 63, {7, true}},       // Rome, Castle Peak
    {kAmd, 23, 96, 104, {7, false}},     // Renoir, Lucienne
    {kAmd, 23, 113, 113, {7, true}},     // Matisse
    {kAmd, 23, 144, 145, {7, false}},    // Van Gogh
    {kAmd, 23, 160, 160, {6, false}},    // Mendocino
    {kAmd, 25, 0, 8, {7, true}},         // Milan, Chagall
    {kAmd, 25, 16, 31, {5, true}},       // Genoa, Storm Peak
    {kAmd, 25, 33, 33, {7, true}},       // Vermeer
    {kAmd, 25, 64, 79, {6, false}},      // Rembrandt
    {kAmd, 25, 80, 80, {7, false}},      // Cezanne
    {kAmd, 25, 97, 97, {5, true}},       // Raphael
    {kAmd, 25, 112, 127, {4, false}},    // Phoenix, Hawk Point
    {kAmd, 25, 160, 175, {5, true}},     // Bergamo, Siena
    {kAmd, 26, 0, 15, {4, true}},        // Turin, Shimada Peak
    {kAmd, 26, 16, 31, {3, true}},       // Turin Dense
    {kAmd, 26, 32, 63, {4, false}},      // Strix Point
    {kAmd, 26, 64, 79, {4, true}},       // Granite Ridge
    {kAmd, 26, 96, 127, {4, false}},     // Krackan Point, Strix Halo
};

bool has_several_dies_by_name(std::string_view model) {
  return model.find("EPYC") != std::string_view::npos ||
         model.find("Threadripper") != std::string_view::npos;
}

}  // namespace

std::optional<Generation> find_generation(const CpuIdentity& cpu) {
  const auto* const row =
      std::find_if(std::begin(kModels), std::end(kModels), [&](const Models& models) {
        return models.vendor == cpu.vendor && models.family == cpu.family &&
               models.first <= cpu.model_number && cpu.model_number <= models.last;
      });
  if (row == std::end(kModels)) return std::nullopt;
  Generation generation = row->generation;
  generation.several_dies |= has_several_dies_by_name(cpu.model);
  return generation;
}

}  // namespace codecarbon::modelled
