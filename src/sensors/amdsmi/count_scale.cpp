#include "sensors/amdsmi/count_scale.hpp"

#include <cmath>

namespace codecarbon::amdsmi {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr float kStated = 15.259F;
constexpr float kStatedWithin = 0.05F;
constexpr std::uint64_t kUnitNumerator = 15'625;  // 2^-16 J = 15625 / 2^10 µJ
constexpr int kUnitShift = 10;

constexpr float kLeast = 1.0F / 1024;
constexpr float kMost = 1e6F;
constexpr int kBits = 24;  // of a float

}  // namespace

std::optional<CountScale> CountScale::of(float resolution_uj) {
  if (std::fabs(resolution_uj - kStated) <= kStatedWithin) {
    return CountScale(kUnitNumerator, kUnitShift);
  }
  if (!(resolution_uj >= kLeast && resolution_uj <= kMost)) return std::nullopt;
  int exponent = 0;
  const float fraction = std::frexp(resolution_uj, &exponent);
  const auto numerator = static_cast<std::uint64_t>(std::ldexp(fraction, kBits));
  return CountScale(numerator, kBits - exponent);
}

std::optional<std::int64_t> CountScale::microjoules(std::uint64_t counts) const {
  const Wide energy_uj = Wide{counts} * numerator_ >> shift_;
  if (energy_uj > Wide{INT64_MAX}) return std::nullopt;
  return static_cast<std::int64_t>(energy_uj);
}

}  // namespace codecarbon::amdsmi
