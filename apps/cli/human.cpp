#include "human.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace codecarbon::cli {
namespace {

struct Unit {
  std::string_view name;
  double size;
};

constexpr Unit kJoules[] = {{"µJ", 1e-6}, {"mJ", 1e-3}, {"J", 1}, {"kJ", 1e3}, {"MJ", 1e6}};
constexpr Unit kWattHours[] = {{"µWh", 1e-6}, {"mWh", 1e-3}, {"Wh", 1}, {"kWh", 1e3}};
constexpr Unit kWatts[] = {{"mW", 1e-3}, {"W", 1}, {"kW", 1e3}};
constexpr Unit kGrams[] = {{"µg", 1e-6}, {"mg", 1e-3}, {"g", 1}, {"kg", 1e3}, {"t", 1e6}};
constexpr Unit kLitres[] = {{"mL", 1e-3}, {"L", 1}};

std::string three_digits(double value) {
  const double size = std::fabs(value);
  if (size < 9.995) return fmt::format("{:.2f}", value);
  if (size < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

// `units` ascend, and nothing is shown in a unit of which it would be 1000 or more.
std::string scaled(double value, std::span<const Unit> units, std::string_view base) {
  if (value == 0) return fmt::format("0 {}", base);
  const Unit* fit = &units.front();
  for (const Unit& unit : units) {
    if (std::fabs(value) >= 0.9995 * unit.size) fit = &unit;
  }
  return fmt::format("{} {}", three_digits(value / fit->size), fit->name);
}

std::size_t characters(std::string_view text) {
  const auto starts_one = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
  };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_one));
}

std::vector<std::size_t> widths_of(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], characters(row[i]));
  }
  return widths;
}

}  // namespace

std::string human_joules(Energy energy) {
  return scaled(energy.joules(), kJoules, "J");
}

std::string human_watt_hours(Energy energy) {
  return scaled(energy.joules() / 3600, kWattHours, "Wh");
}

std::string human_power(Power power) {
  return scaled(power.watts(), kWatts, "W");
}

std::string human_mass(Carbon carbon) {
  return scaled(carbon.grams(), kGrams, "g");
}

std::string human_volume(Water water) {
  return scaled(water.litres(), kLitres, "L");
}

std::string human_time(Duration time) {
  const double total_s = seconds(time);
  if (total_s < 59.95) return fmt::format("{:.{}f} s", total_s, total_s < 9.995 ? 2 : 1);
  const std::int64_t whole_s = std::llround(total_s);
  if (whole_s < 3600) return fmt::format("{} min {:02} s", whole_s / 60, whole_s % 60);
  const std::int64_t minutes = whole_s / 60;
  return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

std::string human_place(const PlaceReport& place, const IntensityReport& intensity) {
  std::string where = place.country_name;
  if (!place.region.empty()) where = where.empty() ? place.region : where + " / " + place.region;
  if (!place.cloud_region.empty()) where = place.cloud_provider + " " + place.cloud_region;
  if (where.empty()) where = "place unknown";
  std::string how = intensity.method;
  if (!intensity.source.empty()) how += (how.empty() ? "" : "; ") + intensity.source;
  return fmt::format("{}, {} g CO2e/kWh{}", where, three_digits(intensity.value.g_per_kwh()),
                     how.empty() ? "" : " (" + how + ")");
}

std::string align(const std::vector<std::vector<std::string>>& rows, std::size_t indent) {
  const std::vector<std::size_t> widths = widths_of(rows);
  std::string text;
  for (const auto& row : rows) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      line.append(widths[i] - characters(row[i]) + 2, ' ');
    }
    const std::size_t end = line.find_last_not_of(' ');
    text += line.substr(0, end == std::string::npos ? 0 : end + 1) + "\n";
  }
  return text;
}

}  // namespace codecarbon::cli
