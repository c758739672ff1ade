#include "sensors/battery/supply_text.hpp"

#include <array>
#include <limits>
#include <utility>

#include "base/text.hpp"
#include "host/host.hpp"

namespace codecarbon::battery {

std::optional<std::int64_t> parse_status(std::string_view text) {
  // Documentation/ABI/testing/sysfs-class-power of the Linux kernel.
  static constexpr std::array<std::pair<std::string_view, Status>, 5> kWords = {{
      {"Discharging", Status::discharging},
      {"Charging", Status::charging},
      {"Not charging", Status::idle},
      {"Full", Status::idle},
      {"Unknown", Status::idle},
  }};
  for (const auto& [word, status] : kWords) {
    if (trimmed(text) == word) return static_cast<std::int64_t>(status);
  }
  return std::nullopt;
}

std::optional<std::int64_t> parse_magnitude(std::string_view text) {
  const auto value = parse_integer(text);
  if (!value || *value == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
  return *value < 0 ? -*value : *value;
}

std::int64_t microwatts(std::int64_t microvolts, std::int64_t microamperes) {
  return microvolts * microamperes / 1'000'000;
}

}  // namespace codecarbon::battery
