#pragma once

#include <string_view>

namespace codecarbon {

/// How a figure was obtained.
enum class Method {
  none,      ///< there is no figure: nothing to read and nothing to model it from
  measured,  ///< a counter or a power reading of the hardware
  modelled,  ///< calculated from utilisation, rated power or fitted memory
  forced,    ///< the user gave the value
  mixed,     ///< the sum of parts that were obtained in different ways
};

constexpr std::string_view to_string(Method method) {
  switch (method) {
    case Method::none:
      return "none";
    case Method::measured:
      return "measured";
    case Method::modelled:
      return "modelled";
    case Method::forced:
      return "forced";
    case Method::mixed:
      return "mixed";
  }
  return "none";
}

}  // namespace codecarbon
