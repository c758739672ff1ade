#pragma once

#include <optional>
#include <string_view>

#include "readings/sensor.hpp"

namespace codecarbon::rapl {

/// What a powercap zone's `name` file says. Kernels write "package-N", "package-N-die-M", "psys",
/// "psys-N", "core", "uncore" and "dram"; the last three mean the package that the zone lies in.
struct ZoneName {
  DomainKind kind = DomainKind::package;
  std::optional<int> index;  ///< socket; missing when the name has none
  int die = 0;
};

/// Missing for a name of none of these forms.
std::optional<ZoneName> parse_zone_name(std::string_view name);

}  // namespace codecarbon::rapl
