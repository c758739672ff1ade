#include "report/number_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace codecarbon {

std::string number_text(double value) {
  if (!std::isfinite(value)) return {};
  if (value == 0) return "0.0";  // also -0.0: a sign that means nothing
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string number_text(const std::optional<double>& value) {
  return value ? number_text(*value) : std::string{};
}

}  // namespace codecarbon
