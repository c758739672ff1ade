#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "host/host.hpp"
#include "readings/probe.hpp"
#include "sensors/gpu_hwmon/card.hpp"

namespace codecarbon::gpu_hwmon {

/// Which file of a card shows its energy, and what is known about it.
struct MeterChoice {
  std::string path;
  Quantity quantity = Quantity::energy;
  std::optional<Power> limit;  ///< that the card keeps itself to
};

/// The file, or why the card is passed over.
tl::expected<MeterChoice, Finding> choose_meter(const Host& host, const Card& card);

/// "Radeon Pro W6800 (/sys/class/hwmon/hwmon3)"
std::string title_of(const Host& host, const Card& card);

}  // namespace codecarbon::gpu_hwmon
