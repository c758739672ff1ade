#include "status_line.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "human.hpp"

namespace codecarbon::cli {
namespace {

// Cut between characters: a terminal that is handed half of one draws rubbish.
std::string cut(const std::string& text, std::size_t width) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts_one = (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
    if (starts_one && characters++ == width) return text.substr(0, i);
  }
  return text;
}

}  // namespace

std::string StatusLine::next(const Report& report, std::size_t width) {
  const Energy energy = report.energy() - std::exchange(last_energy_, report.energy());
  const Duration time = report.duration - std::exchange(last_duration_, report.duration);
  const std::string line =
      fmt::format("codecarbon  {}  {}  {} CO2e  {}", human_joules(report.energy()),
                  human_power(mean_power(energy, time)), human_mass(report.emissions),
                  human_time(report.duration));
  return cut(line, width);
}

}  // namespace codecarbon::cli
