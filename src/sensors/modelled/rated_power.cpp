#include "sensors/modelled/rated_power.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "sensors/modelled/arm_core.hpp"
#include "sensors/modelled/generation.hpp"
#include "sensors/modelled/model_name.hpp"
#include "sensors/modelled/power_model.hpp"

namespace codecarbon::modelled {
namespace {

constexpr double kMostWatts = 2000;

// Rated watts for each hardware thread. Servers: tools/power_model.py. Others: about what desktops
// (65 W, 16 threads) and notebooks (28 W, 8 threads) are rated at.
constexpr double kWattsPerThread = 4;

// Hosts of virtual machines run two threads in a core, all but a few.
constexpr double kHostThreadsPerCore = 2;

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

/// Rated power for each hardware thread of a kind of processor.
struct ThreadRating {
  double watts;
  std::string_view kind;
};

ThreadRating thread_rating(const CpuIdentity& cpu) {
  const bool server = cpu.virtual_machine || cpu.model.find("Xeon") != std::string::npos ||
                      cpu.model.find("EPYC") != std::string::npos;
  if (server && cpu.vendor == "GenuineIntel") return {kIntelServerWattsPerThread, "Intel servers"};
  if (server && cpu.vendor == "AuthenticAMD") return {kAmdServerWattsPerThread, "AMD servers"};
  return {kWattsPerThread, "machines of any kind"};
}

/// All of `cpu` as far as it is known, rated at `rated` together.
ProcessorFacts facts_of(const CpuIdentity& cpu, Power rated) {
  ProcessorFacts facts;
  facts.rated = rated;
  facts.threads_per_core = cpu.threads_per_core;
  facts.cores = cpu.logical / cpu.threads_per_core;
  facts.base_ghz = cpu.base_ghz;
  if (const auto generation = find_generation(cpu)) {
    facts.process_nm = generation->process_nm;
    if (generation->several_dies) {
      facts.idle_share = kSeveralDiesIdleShare;
      facts.fabric_share = kFabricShare;
    }
  }
  return facts;
}

/// A guest's processors are hardware threads of its host, whatever its own topology says.
ProcessorFacts facts_of_guest(const CpuIdentity& cpu, Power rated) {
  CpuIdentity threads = cpu;
  threads.threads_per_core = kHostThreadsPerCore;
  return facts_of(threads, rated);
}

RatedPower rate_machine(const CpuIdentity& cpu, Power one) {
  const Power all = Power::from_uw(one.uw() * cpu.sockets);
  return {PowerCurve(facts_of(cpu, all)), kLoadModelBound,
          fmt::format("load of {} x {}, rated {} W each", cpu.sockets, cpu.model, one.watts())};
}

/// The hardware threads of one processor of the name, and how they are known.
std::pair<double, std::string> threads_of(const CpuIdentity& cpu, Power one) {
  if (const auto cores = cores_in_name(cpu.model)) {
    return {*cores * kHostThreadsPerCore, "as its name says"};
  }
  const ThreadRating rating = thread_rating(cpu);
  return {std::max(1.0, std::round(one.watts() / rating.watts)),
          fmt::format("estimated at {} W a thread", rating.watts)};
}

RatedPower rate_guest(const CpuIdentity& cpu, Power one) {
  const auto [threads, how] = threads_of(cpu, one);
  const Power part = Power::from_watts(one.watts() * std::max(cpu.logical, 1) / threads);
  return {PowerCurve(facts_of_guest(cpu, part)), kGenericBound,
          fmt::format("load of a virtual machine, {} of {} threads ({}) of {}, rated {} W",
                      cpu.logical, threads, how, cpu.model, one.watts())};
}

RatedPower rate_by_threads(const CpuIdentity& cpu) {
  const ThreadRating rating = thread_rating(cpu);
  const Power generic = Power::from_watts(rating.watts * std::max(cpu.logical, 1));
  return {PowerCurve(cpu.virtual_machine ? facts_of_guest(cpu, generic) : facts_of(cpu, generic)),
          kGenericBound,
          fmt::format("load of {} logical processors, generic rating of {} W each ({}): {}",
                      cpu.logical, rating.watts, rating.kind,
                      cpu.model.empty() ? "the processor gives no model name"
                                        : "no rated power is known for " + cpu.model)};
}

RatedPower rate_arm_machine(const CpuIdentity& cpu) {
  const ArmRating rating = rate_arm(cpu.arm_cores, cpu.board);
  ProcessorFacts facts;
  facts.cores = std::max(cpu.logical, 1);
  facts.rated = Power::from_watts(rating.watts_a_core * facts.cores);
  facts.idle_share = rating.idle_share;
  return {
      PowerCurve(facts), kGenericBound,
      fmt::format("load of {} {}{}{}, generic rating of {:.3g} W a core", cpu.logical, rating.cores,
                  cpu.board.empty() ? "" : " of ", cpu.board, rating.watts_a_core)};
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
  if (!cpu.arm_cores.empty()) return rate_arm_machine(cpu);
  const auto one = find_rated_power(cpu.model, table);
  if (!one) return rate_by_threads(cpu);
  return cpu.virtual_machine ? rate_guest(cpu, *one) : rate_machine(cpu, *one);
}

RatedPower rate_as_forced(Power rated, const CpuIdentity& cpu) {
  ProcessorFacts facts = facts_of(cpu, rated);
  facts.process_nm.reset();  // the rating is right, whatever the cores seem to need
  return {PowerCurve(facts), kLoadModelBound,
          fmt::format("load, rated {} W by force_cpu_power", rated.watts())};
}

}  // namespace codecarbon::modelled
