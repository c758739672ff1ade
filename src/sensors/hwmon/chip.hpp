#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/host.hpp"

namespace codecarbon::hwmon {

/// One chip of the kernel's hardware monitoring tree.
struct Chip {
  std::string name;    ///< what its driver calls it: "power_meter", "amd_energy"
  std::string folder;  ///< where its readings are, below the host's root
};

/// All chips that say their name, in the order of their numbers. Drivers keep their files in the
/// chip's folder or, older ones, in that of its device.
std::vector<Chip> find_chips(const Host& host);

/// Numbers n of the chip's files PREFIXnSUFFIX ("in1_label"), rising.
std::vector<int> channels(const Host& host, const Chip& chip, std::string_view prefix,
                          std::string_view suffix);

/// The text of one of its files, without blanks at its ends; empty when there is none.
std::string text_of(const Host& host, const Chip& chip, std::string_view file);

}  // namespace codecarbon::hwmon
