#include <nlohmann/json.hpp>

#include "diagnosis_view.hpp"

namespace codecarbon::cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const BackEndDiagnosis& back_end) {
  Json findings = Json::array();
  for (const Finding& finding : back_end.findings) {
    findings.push_back({{"outcome", word_for(finding.outcome)},
                        {"subject", finding.subject},
                        {"reason", finding.reason},
                        {"remedy", finding.remedy}});
  }
  return {{"name", back_end.name}, {"summary", back_end.summary}, {"findings", findings}};
}

/// In the sensor's own unit, as its quantity says.
Json to_json(const std::optional<Pace>& pace) {
  if (!pace) return nullptr;
  return {{"update_period_s", seconds(pace->update_period)},
          {"smallest_step", pace->smallest_step}};
}

Json to_json(const SensorDiagnosis& sensor) {
  return {{"name", sensor.name},
          {"back_end", sensor.back_end},
          {"quantity", quantity_name(sensor.quantity)},
          {"observed", to_json(sensor.observed)},
          {"source", sensor.source},
          {"method", to_string(sensor.method)},
          {"use", sensor.use},
          {"reason", sensor.reason}};
}

Json to_json(const SystemReport& system) {
  return {{"host", system.host},
          {"os", system.os},
          {"cpu_model", system.cpu_model},
          {"cpu_count", system.cpu_count},
          {"gpu_model", system.gpu_model},
          {"gpu_count", system.gpu_count},
          {"ram_total_gb", system.ram_total_gb}};
}

Json to_json(const std::optional<int>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json to_json(const std::optional<JobReport>& job) {
  if (!job) return nullptr;
  return {{"id", job->id},
          {"rank", to_json(job->rank)},
          {"local_rank", to_json(job->local_rank)},
          {"world_size", to_json(job->world_size)},
          {"found_by", job->found_by}};
}

Json to_json(const PlaceReport& place, const IntensityReport& intensity) {
  return {{"country_name", place.country_name},
          {"country_iso_code", place.country_iso_code},
          {"region", place.region},
          {"cloud_provider", place.cloud_provider},
          {"cloud_region", place.cloud_region},
          {"intensity_g_per_kwh", intensity.value.g_per_kwh()},
          {"intensity_method", intensity.method},
          {"intensity_source", intensity.source}};
}

}  // namespace

std::string diagnosis_json(const Diagnosis& diagnosis) {
  Json back_ends = Json::array();
  for (const BackEndDiagnosis& back_end : diagnosis.back_ends)
    back_ends.push_back(to_json(back_end));
  Json sensors = Json::array();
  for (const SensorDiagnosis& sensor : diagnosis.sensors) sensors.push_back(to_json(sensor));
  const Json object = {{"usable", is_usable(diagnosis)},
                       {"system", to_json(diagnosis.system)},
                       {"place", to_json(diagnosis.place, diagnosis.intensity)},
                       {"job", to_json(diagnosis.job)},
                       {"job_remarks", diagnosis.job_remarks},
                       {"sensors", sensors},
                       {"back_ends", back_ends}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace codecarbon::cli
