#pragma once

#include <string>
#include <vector>

#include "host/host.hpp"
#include "readings/probe.hpp"
#include "readings/sensor.hpp"

namespace codecarbon::rapl {

inline constexpr std::string_view kPowercap = "sys/class/powercap";

/// One zone of the powercap tree and the place that its joules belong to.
struct Zone {
  std::string folder;   ///< path below the host's root
  std::string control;  ///< control type: "intel-rapl", "intel-rapl-mmio"
  Domain domain;

  std::string energy_path() const { return folder + "/energy_uj"; }
};

/// All RAPL zones, each once however often the tree shows it (flat, nested or through links), those
/// of control type intel-rapl first. Zones whose name says no place are left out and reported in
/// `findings`.
std::vector<Zone> find_zones(const Host& host, std::vector<Finding>& findings);

}  // namespace codecarbon::rapl
