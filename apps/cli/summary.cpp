#include "summary.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "base/text.hpp"
#include "human.hpp"
#include "report/row.hpp"
#include "tracker/job.hpp"

namespace codecarbon::cli {
namespace {

using Row = std::vector<std::string>;

constexpr std::size_t kHeadlineWidth = 80;

// One line, whatever the words hold.
std::string words_of(const Words& program) {
  std::string text;
  for (const std::string& word : program) {
    if (text.size() > kHeadlineWidth) return text + " ...";
    const bool plain = !word.empty() && in_quotes(word).size() == word.size() + 2 &&
                       word.find_first_of(" \"'\\$") == std::string::npos;
    text += (text.empty() ? "" : " ") + (plain ? word : in_quotes(word));
  }
  return text;
}

std::string headline(const Report& report, const RunOutcome& outcome) {
  const std::string what = outcome.program.empty() ? "this machine" : words_of(outcome.program);
  const std::string end =
      outcome.exit_code ? fmt::format(", exit code {}", *outcome.exit_code) : std::string{};
  return fmt::format("codecarbon: {} ({}{})\n", what, human_time(report.duration), end);
}

Row component_row(const char* name, const ComponentReport& part) {
  if (part.method == Method::none) return {name, "-", "-", "", "none"};
  return {name,
          human_joules(part.energy),
          human_power(part.power),
          "±" + human_joules(part.bound),
          std::string(to_string(part.method)),
          part.source};
}

Row total_row(const Report& report) {
  return {"total", human_joules(report.energy()),
          human_power(mean_power(report.energy(), report.duration)),
          "±" + human_joules(report.bound())};
}

/// "41.2 J CPU (41 %)"; empty where the machine used nothing. Not known is not nothing.
std::string part_text(std::string_view name, const ShareReport& part) {
  if (part.machine() <= Energy{}) return {};
  if (part.unknown == part.machine()) return fmt::format("{} unknown", name);
  return fmt::format("{} {} ({:.0f} %)", human_joules(part.own), name,
                     100 * part.own.joules() / part.machine().joules());
}

/// What of the machine's energy was the program's own.
std::string share_text(const ProcessShare& share) {
  std::string text;
  for (const auto& part :
       {part_text("CPU", share.cpu), part_text("GPU", share.gpu), part_text("RAM", share.ram)}) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

void add_facts(std::vector<Row>& facts, const Report& report, const RunOutcome& outcome) {
  facts.push_back({"emissions", fmt::format("{} CO2e for {}", human_mass(report.emissions),
                                            human_watt_hours(report.energy()))});
  if (report.share && report.share->machine() > Energy{}) {
    facts.push_back({"its share", share_text(*report.share)});
  }
  if (report.node) {
    facts.push_back(
        {"node",
         fmt::format("{} by {} (±{}), {} beyond the parts above",
                     human_joules(report.node->meter.energy), report.node->meter.source,
                     human_joules(report.node->meter.bound), human_joules(report.node->residual))});
  }
  if (report.job) facts.push_back({"job", job_text(*report.job)});
  facts.push_back({"place", human_place(report.place, report.intensity)});
  if (report.pue != 1) facts.push_back({"PUE", fmt::format("{}, included above", report.pue)});
  if (report.wue != 0) facts.push_back({"water", human_volume(report.water)});
  if (!outcome.row_file.empty()) facts.push_back({"row", outcome.row_file});
  for (const std::string& note : report.notes) facts.push_back({"note", note});
}

std::string as_text(const Report& report, const RunOutcome& outcome) {
  const std::vector<Row> parts = {{"", "energy", "power", "bound", "method", "source"},
                                  component_row("CPU", report.cpu),
                                  component_row("GPU", report.gpu),
                                  component_row("RAM", report.ram),
                                  total_row(report)};
  std::vector<Row> facts;
  add_facts(facts, report, outcome);
  return headline(report, outcome) + align(parts, 2) + align(facts, 2);
}

// Words of a command line may hold any bytes; what is not UTF-8 is shown as U+FFFD.
std::string as_json(const Report& report, const RunOutcome& outcome) {
  nlohmann::ordered_json object = nlohmann::ordered_json::parse(to_json(report), nullptr, false);
  if (!object.is_object()) object = nlohmann::ordered_json::object();
  object["command"] = outcome.program;
  if (outcome.exit_code) object["exit_code"] = *outcome.exit_code;
  if (!outcome.row_file.empty()) object["row_file"] = outcome.row_file;
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

std::optional<SummaryFormat> parse_summary_format(std::string_view word) {
  if (word == "text") return SummaryFormat::text;
  if (word == "json") return SummaryFormat::json;
  if (word == "none") return SummaryFormat::none;
  return std::nullopt;
}

std::string render_summary(SummaryFormat format, const Report& report, const RunOutcome& outcome) {
  switch (format) {
    case SummaryFormat::text:
      return as_text(report, outcome);
    case SummaryFormat::json:
      return as_json(report, outcome);
    case SummaryFormat::none:
      break;
  }
  return {};
}

}  // namespace codecarbon::cli
