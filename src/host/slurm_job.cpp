#include "host/slurm_job.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.hpp"
#include "host/host.hpp"

namespace codecarbon {
namespace {

using Number = std::optional<std::int64_t>;

/// More than any count or product of counts means anything; keeps sums from overflowing.
constexpr std::int64_t kMostCount = 1'000'000'000;

Number count_in(std::string_view text) {
  const auto value = parse_integer(text);
  return value && *value > 0 && *value <= kMostCount ? value : std::nullopt;
}

std::string_view variable(const Environment& environment, std::string_view name) {
  return environment.get(name).value_or("");
}

/// Size times count, if that is a number of bytes.
Number times(Number bytes, Number count) {
  if (!bytes || !count || *bytes > INT64_MAX / *count) return std::nullopt;
  return *bytes * *count;
}

Number processors_by_tasks(const Environment& environment, Number node) {
  const auto tasks = value_on_node(variable(environment, "SLURM_TASKS_PER_NODE"), node);
  return times(tasks, count_in(variable(environment, "SLURM_CPUS_PER_TASK")));
}

Number processors_by_variables(const Environment& environment) {
  if (const auto here = count_in(variable(environment, "SLURM_CPUS_ON_NODE"))) return here;
  const auto node = parse_integer(variable(environment, "SLURM_NODEID"));
  const auto job = value_on_node(variable(environment, "SLURM_JOB_CPUS_PER_NODE"), node);
  return job ? job : processors_by_tasks(environment, node);
}

/// The value of "key=value" in text whose words are apart by `separator`; empty when there is none.
std::string_view field(std::string_view text, std::string_view key, char separator) {
  while (!text.empty()) {
    auto word = take_until(text, separator);
    if (word.starts_with(key) && word.substr(key.size()).starts_with('=')) {
      return word.substr(key.size() + 1);
    }
  }
  return {};
}

/// One record of scontrol's output: fields on several lines, or on one.
class JobRecord {
 public:
  explicit JobRecord(std::string_view text) : text_(text) {}

  std::string_view id() const { return value("JobId"); }

  SlurmShare share() const {
    const auto all = resources();
    const Number nodes = node_count(all);
    Number processors = count_in(field(all, "cpu", ','));
    if (!processors) processors = count_in(leading_digits(value("NumCPUs")));
    processors = per_node(processors, nodes);
    return {processors, memory(parse_slurm_memory(field(all, "mem", ',')), processors, nodes)};
  }

 private:
  static std::string_view leading_digits(std::string_view text) {
    return text.substr(0, text.find_first_not_of("0123456789"));
  }

  static Number per_node(Number all, Number nodes) {
    if (!all || !nodes) return std::nullopt;
    return std::max<std::int64_t>(*all / *nodes, 1);
  }

  /// What was given, not what was asked for: older versions call it TRES only.
  std::string_view resources() const {
    const auto given = value("AllocTRES");
    return given.empty() || given == "(null)" ? value("TRES") : given;
  }

  Number node_count(std::string_view all) const {
    const auto nodes = count_in(leading_digits(value("NumNodes")));
    return nodes ? nodes : count_in(field(all, "node", ','));
  }

  /// On several nodes what is said of one is exact, what is said of all of them only a mean.
  Number memory(Number of_all, Number processors, Number nodes) const {
    if (nodes == 1 && of_all) return of_all;
    if (const auto node = parse_slurm_memory(value("MinMemoryNode"))) return node;
    if (const auto processor = parse_slurm_memory(value("MinMemoryCPU"))) {
      return times(processor, processors);
    }
    return per_node(of_all, nodes);
  }

  /// The value of the word "key=value".
  std::string_view value(std::string_view key) const {
    for (auto lines = text_; !lines.empty();) {
      const auto found = field(take_until(lines, '\n'), key, ' ');
      if (!found.empty()) return trimmed(found);
    }
    return {};
  }

  std::string_view text_;
};

/// Some nodes with one value: "4(x2)", or "4" of a single node.
struct Run {
  std::int64_t value = 0;
  std::int64_t nodes = 1;
};

std::optional<Run> parse_run(std::string_view text) {
  constexpr std::string_view kTimes = "(x";
  const auto bracket = text.find(kTimes);
  const auto value = count_in(text.substr(0, bracket));
  Number nodes = 1;
  if (bracket != std::string_view::npos) {
    text.remove_prefix(bracket + kTimes.size());
    nodes = text.ends_with(')') ? count_in(text.substr(0, text.size() - 1)) : std::nullopt;
  }
  return value && nodes ? std::optional(Run{*value, *nodes}) : std::nullopt;
}

/// Takes off one record: up to an empty line.
std::string_view take_record(std::string_view& text) {
  const auto end = std::min(text.find("\n\n"), text.size());
  const auto record = text.substr(0, end);
  text.remove_prefix(std::min(end + 2, text.size()));
  return record;
}

}  // namespace

std::optional<std::string_view> slurm_job_id(const Environment& environment) {
  auto id = variable(environment, "SLURM_JOB_ID");
  if (id.empty()) id = variable(environment, "SLURM_JOBID");
  return count_in(id) && trimmed(id) == id ? std::optional(id) : std::nullopt;
}

SlurmShare share_by_variables(const Environment& environment) {
  if (!slurm_job_id(environment)) return {};
  const auto processors = processors_by_variables(environment);
  if (const auto node = parse_slurm_memory(variable(environment, "SLURM_MEM_PER_NODE"))) {
    return {processors, node};
  }
  const auto processor = parse_slurm_memory(variable(environment, "SLURM_MEM_PER_CPU"));
  return {processors, times(processor, processors)};
}

SlurmShare share_by_scontrol(std::string_view output, std::string_view job_id) {
  output = trimmed(output);
  const std::string_view first = take_record(output);
  if (output.empty()) return JobRecord(first).share();
  // An array of jobs: the records of its other members are somebody else's.
  for (auto record = first;; record = take_record(output)) {
    if (JobRecord(record).id() == job_id) return JobRecord(record).share();
    if (output.empty()) return {};
  }
}

std::optional<std::int64_t> value_on_node(std::string_view list, std::optional<std::int64_t> node) {
  std::int64_t nodes_before = 0;
  Number same;
  while (!list.empty()) {
    const auto run = parse_run(take_until(list, ','));
    if (!run || nodes_before > kMostCount) return std::nullopt;
    nodes_before += run->nodes;
    if (node && *node >= 0 && *node < nodes_before) return run->value;
    if (!node && same.value_or(run->value) != run->value) return std::nullopt;
    same = run->value;
  }
  return node ? std::nullopt : same;
}

std::optional<std::int64_t> parse_slurm_memory(std::string_view text) {
  constexpr std::string_view kUnits = "KMGTP";
  text = trimmed(text);
  if (text.empty()) return std::nullopt;
  auto unit = kUnits.find(upper(text.substr(text.size() - 1)));
  if (unit == std::string_view::npos) {
    unit = kUnits.find('M');
  } else {
    text.remove_suffix(1);
  }
  double size = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), size, std::chars_format::fixed);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  const double bytes = std::ldexp(size, static_cast<int>(unit + 1) * 10);
  if (!(bytes >= 1) || bytes >= 9.2e18) return std::nullopt;
  return std::llround(bytes);
}

}  // namespace codecarbon
