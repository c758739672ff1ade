#include "diagnosis_view.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "human.hpp"
#include "tracker/job.hpp"

namespace codecarbon::cli {
namespace {

using Row = std::vector<std::string>;

/// "new every 1.0 ms, steps from 61 µJ"; empty for what was not watched or hardly moved.
std::string pace_text(const SensorDiagnosis& sensor) {
  if (!sensor.observed) return {};
  const bool is_energy = sensor.quantity == Quantity::energy;
  if (!is_energy && sensor.quantity != Quantity::power) return {};
  return fmt::format("new every {:.1f} ms, steps from {} {}",
                     1e3 * seconds(sensor.observed->update_period), sensor.observed->smallest_step,
                     is_energy ? "µJ" : "µW");
}

std::string or_unknown(const std::string& text) {
  return text.empty() ? "unknown" : text;
}

std::string finding_text(const Finding& finding) {
  std::string text = fmt::format("  {:<12} {}", word_for(finding.outcome), finding.subject);
  if (!finding.reason.empty()) text += fmt::format(": {}", finding.reason);
  if (!finding.remedy.empty()) text += fmt::format("\n{:15}what to do: {}", "", finding.remedy);
  return text + "\n";
}

// How the energy of one column is had: measured beats everything else.
std::string how(const Diagnosis& diagnosis, std::string_view use) {
  Method best = Method::none;
  for (const SensorDiagnosis& sensor : diagnosis.sensors) {
    if (sensor.use != use) continue;
    if (best == Method::none || sensor.method == Method::measured) best = sensor.method;
  }
  return std::string(to_string(best));
}

}  // namespace

std::string_view word_for(Finding::Outcome outcome) {
  switch (outcome) {
    case Finding::Outcome::found:
      return "found";
    case Finding::Outcome::absent:
      return "absent";
    case Finding::Outcome::denied:
      return "denied";
    case Finding::Outcome::unsupported:
      return "unsupported";
  }
  return "absent";
}

std::string_view quantity_name(Quantity quantity) {
  switch (quantity) {
    case Quantity::energy:
      return "energy_uj";
    case Quantity::power:
      return "power_uw";
    case Quantity::utilization:
      return "utilization_millionths";
    case Quantity::memory_used:
      return "memory_bytes";
  }
  return "";
}

bool has_figure(const Diagnosis& diagnosis, std::string_view use) {
  const auto serves = [&](const SensorDiagnosis& sensor) { return sensor.use == use; };
  return std::any_of(diagnosis.sensors.begin(), diagnosis.sensors.end(), serves);
}

bool is_usable(const Diagnosis& diagnosis) {
  return has_figure(diagnosis, "cpu") && has_figure(diagnosis, "ram");
}

std::string machine_text(const Diagnosis& diagnosis) {
  const SystemReport& system = diagnosis.system;
  std::vector<Row> rows = {{"Host", or_unknown(system.host)},
                           {"System", or_unknown(system.os)},
                           {"CPU", fmt::format("{}, {} logical processors",
                                               or_unknown(system.cpu_model), system.cpu_count)},
                           {"RAM", fmt::format("{:.1f} GB", system.ram_total_gb)},
                           {"GPU", system.gpu_count == 0 ? "none" : system.gpu_model},
                           {"Place", human_place(diagnosis.place, diagnosis.intensity)},
                           {"Job", diagnosis.job ? job_text(*diagnosis.job) : "none"}};
  for (const std::string& remark : diagnosis.job_remarks) rows.push_back({"", remark});
  return align(rows, 0);
}

std::string sensors_text(const Diagnosis& diagnosis) {
  std::vector<Row> used;
  std::vector<Row> passed_over;
  for (const SensorDiagnosis& sensor : diagnosis.sensors) {
    if (sensor.use.empty()) {
      passed_over.push_back({sensor.name, sensor.back_end, sensor.source, sensor.reason});
    } else {
      used.push_back({sensor.use, sensor.name, std::string(to_string(sensor.method)),
                      sensor.back_end, sensor.source, pace_text(sensor)});
    }
  }
  std::string text = "Sensors in use\n" + (used.empty() ? "  none\n" : align(used, 2));
  if (!passed_over.empty()) text += "Passed over\n" + align(passed_over, 2);
  return text;
}

std::string back_ends_text(const Diagnosis& diagnosis) {
  std::string text;
  for (const BackEndDiagnosis& back_end : diagnosis.back_ends) {
    text += fmt::format("{}: {}\n", back_end.name, back_end.summary);
    if (back_end.findings.empty()) text += "  nothing found\n";
    for (const Finding& finding : back_end.findings) text += finding_text(finding);
  }
  return text;
}

std::string verdict_text(const Diagnosis& diagnosis) {
  return fmt::format("{}: CPU {}, RAM {}, GPU {}\n",
                     is_usable(diagnosis) ? "Ready to measure" : "Not ready to measure",
                     how(diagnosis, "cpu"), how(diagnosis, "ram"), how(diagnosis, "gpu"));
}

}  // namespace codecarbon::cli
