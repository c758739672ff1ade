#include "sensors/modelled/rated_power.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sensors/modelled/model_name.hpp"
#include "sensors/modelled/power_model.hpp"

namespace codecarbon::modelled {
namespace {

constexpr double kMostWatts = 2000;

// Shorter numbers name families and versions, and half of the table holds them.
constexpr std::size_t kFewestDigits = 3;

std::optional<Power> parse_watts(std::string_view text) {
  while (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  double watts = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), watts);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!(watts > 0 && watts <= kMostWatts)) return std::nullopt;
  return Power::from_watts(watts);
}

/// The line of `table` around position `at`.
std::string_view line_around(std::string_view table, std::size_t at) {
  const auto before = table.rfind('\n', at);
  const auto begin = before == std::string_view::npos ? 0 : before + 1;
  return table.substr(begin, std::min(table.find('\n', at), table.size()) - begin);
}

/// The table's names of Opterons are bare numbers.
bool is_bare_opteron(const ModelName& row, const ModelName& wanted) {
  return row.vendor.empty() && row.words.size() + 1 == wanted.words.size() &&
         std::binary_search(wanted.words.begin(), wanted.words.end(), "opteron") &&
         std::includes(wanted.words.begin(), wanted.words.end(), row.words.begin(),
                       row.words.end());
}

}  // namespace

std::optional<Power> find_rated_power(std::string_view model, std::string_view table) {
  const ModelName wanted(model);
  // Digits have no case, so the line is found before it is taken apart.
  const std::string_view number = wanted.number();
  if (number.size() < kFewestDigits) return std::nullopt;
  for (auto at = table.find(number); at != std::string_view::npos;) {
    const auto line = line_around(table, at);
    const auto comma = line.rfind(',');
    if (comma != std::string_view::npos && !line.starts_with('#')) {
      const ModelName row(line.substr(0, comma));
      const auto watts = parse_watts(line.substr(comma + 1));
      if (watts && (row.same_as(wanted) || is_bare_opteron(row, wanted))) return watts;
    }
    at = table.find(number, static_cast<std::size_t>(line.data() - table.data()) + line.size());
  }
  return std::nullopt;
}

RatedPower rate(const CpuIdentity& cpu, std::string_view table) {
  if (const auto one = find_rated_power(cpu.model, table)) {
    const Power all = Power::from_uw(one->uw() * cpu.sockets);
    auto source =
        fmt::format("load of {} x {}, rated {} W each", cpu.sockets, cpu.model, one->watts());
    if (!cpu.virtual_machine) return {all, kLoadModelBound, std::move(source)};
    source += "; this virtual machine may own only a part of it";
    return {all, kGenericBound, std::move(source)};
  }
  const Power generic = generic_rated_power(cpu.logical);
  return {generic, kGenericBound,
          fmt::format("load of {} logical processors, generic rating of {} W: {}", cpu.logical,
                      generic.watts(),
                      cpu.model.empty() ? "the processor gives no model name"
                                        : "no rated power is known for " + cpu.model)};
}

RatedPower rate_as_forced(Power rated) {
  return {rated, kLoadModelBound,
          fmt::format("load, rated {} W by force_cpu_power", rated.watts())};
}

}  // namespace codecarbon::modelled
