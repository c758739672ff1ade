#pragma once

#include <string_view>

#include "codecarbon/units.hpp"

namespace codecarbon::carbon {

/// An intensity and the table (its whole text) that it stands in.
struct Figure {
  CarbonIntensity intensity;
  std::string_view table;
};

}  // namespace codecarbon::carbon
