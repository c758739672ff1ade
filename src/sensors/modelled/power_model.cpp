#include "sensors/modelled/power_model.hpp"

#include <algorithm>
#include <cmath>

namespace codecarbon::modelled {
namespace {

constexpr double kIdleShare = 0.11;
constexpr double kLoadShare = 0.63;
constexpr double kLoadExponent = 0.6;

constexpr double kWattsPerProcessor = 4;

constexpr double kOneModuleGb = 8;
constexpr double kWattsPerModule = 3;
constexpr double kWattsPerGb = 0.03;

}  // namespace

Power power_at(Power rated, double load) {
  const double held = std::clamp(load, 0.0, 1.0);
  return Power::from_watts(rated.watts() *
                           (kIdleShare + kLoadShare * std::pow(held, kLoadExponent)));
}

Power generic_rated_power(int logical_processors) {
  return Power::from_watts(kWattsPerProcessor * std::max(logical_processors, 1));
}

Power memory_power(std::int64_t bytes) {
  const double gb = static_cast<double>(std::max<std::int64_t>(bytes, 0)) * 1e-9;
  return Power::from_watts(kWattsPerModule * std::sqrt(gb / kOneModuleGb) + kWattsPerGb * gb);
}

}  // namespace codecarbon::modelled
