#include "sensors/gpu_hwmon/meter_choice.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/text.hpp"

// Names and meaning of the files: Linux, Documentation/ABI/testing/sysfs-driver-intel-i915-hwmon
// and sysfs-driver-intel-xe-hwmon, drivers/gpu/drm/amd/pm/amdgpu_pm.c (2023-2025).

namespace codecarbon::gpu_hwmon {
namespace {

using Choice = tl::expected<MeterChoice, Finding>;

Choice passed_over(const Host& host, const Card& card, std::string reason) {
  return tl::unexpected(
      Finding{Finding::Outcome::unsupported, title_of(host, card), std::move(reason), {}});
}

std::optional<std::int64_t> number(const Host& host, const std::string& path) {
  const auto text = host.read(path);
  return text ? parse_integer(*text) : std::nullopt;
}

std::string label(const Host& host, const std::string& path) {
  const auto text = host.read(path);
  return text ? std::string(trimmed(*text)) : std::string{};
}

/// The highest of the limits that are set.
template <std::size_t count>
std::optional<Power> limit(const Host& host, const Card& card,
                           const std::array<const char*, count>& files) {
  std::int64_t highest = 0;
  for (const char* file : files) {
    highest = std::max(highest, number(host, card.folder + "/" + file).value_or(0));
  }
  if (highest <= 0) return std::nullopt;
  return Power::from_uw(highest);
}

/// xe shows the whole card as "card" and the chip alone as "pkg", each where the board can measure
/// it; i915 shows the card without a label.
std::optional<std::string> energy_file(const Host& host, const Card& card) {
  std::optional<std::string> chip;
  for (const char* number : {"1", "2", "3"}) {
    const std::string stem = card.folder + "/energy" + number;
    if (!host.exists(stem + "_input")) continue;
    const std::string what = label(host, stem + "_label");
    if (what.empty() || what == "card") return stem + "_input";
    if (what == "pkg") chip = stem + "_input";
  }
  return chip;
}

Choice choose_intel(const Host& host, const Card& card) {
  const auto path = energy_file(host, card);
  if (!path) {
    return passed_over(host, card,
                       "it has no energy counter; graphics inside a processor is counted with it");
  }
  constexpr std::array kLimits = {"power1_max", "power1_rated_max", "power2_max",
                                  "power2_rated_max"};
  return MeterChoice{*path, Quantity::energy, limit(host, card, kLimits)};
}

/// Only graphics inside a processor has this voltage, of the processor's north bridge.
bool in_processor(const Host& host, const Card& card) {
  return label(host, card.folder + "/in1_label") == "vddnb";
}

/// Cards of two dies measure and limit their power on the first. The second shows 0 W or refuses,
/// by the driver's age, and its limit is 0.
bool is_second_die(const Host& host, const Card& card, const std::string& power_path) {
  return number(host, card.folder + "/power1_cap") == 0 &&
         number(host, power_path).value_or(0) == 0;
}

/// Newer cards measure the power of the moment, older ones an average. Some drivers show the file
/// of the other one too, and refuse to read it.
std::optional<std::string> power_file(const Host& host, const Card& card) {
  std::optional<std::string> shown;
  for (const char* file : {"/power1_average", "/power1_input"}) {
    const std::string path = card.folder + file;
    if (number(host, path)) return path;
    if (!shown && host.exists(path)) shown = path;
  }
  return shown;
}

Choice choose_amd(const Host& host, const Card& card) {
  if (in_processor(host, card)) {
    return passed_over(host, card,
                       "it is graphics inside a processor: the power it shows is that of the whole "
                       "processor, which the processor's own counters hold");
  }
  const auto path = power_file(host, card);
  if (!path) return passed_over(host, card, "its driver shows no power");
  if (is_second_die(host, card, *path)) {
    return passed_over(host, card, "it is the second die of a card, counted with the first");
  }
  constexpr std::array kLimits = {"power1_cap", "power1_cap_max", "power1_cap_default"};
  return MeterChoice{*path, Quantity::power, limit(host, card, kLimits)};
}

}  // namespace

Choice choose_meter(const Host& host, const Card& card) {
  return card.domain.vendor == Vendor::amd ? choose_amd(host, card) : choose_intel(host, card);
}

std::string title_of(const Host& host, const Card& card) {
  return card.domain.name + " (" + host.resolve(card.folder).string() + ")";
}

}  // namespace codecarbon::gpu_hwmon
