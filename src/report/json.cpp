#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "codecarbon/version.hpp"
#include "report/row.hpp"

namespace codecarbon {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}
Json number(const std::optional<double>& value) {
  return value ? number(*value) : Json(nullptr);
}

/// UTC with microseconds and a zone, so that it means the same everywhere.
std::string utc_time(WallTime timestamp) {
  using namespace std::chrono;
  const auto day = floor<days>(timestamp);
  const year_month_day date(day);
  const hh_mm_ss time(timestamp - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     time.subseconds().count());
}

Json number(const std::optional<int>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json job_json(const std::optional<JobReport>& job) {
  if (!job) return nullptr;
  return {{"id", job->id},
          {"rank", number(job->rank)},
          {"local_rank", number(job->local_rank)},
          {"world_size", number(job->world_size)},
          {"found_by", job->found_by}};
}

Json component_json(const ComponentReport& component) {
  return {{"energy_j", number(component.energy.joules())},
          {"power_w", number(component.power.watts())},
          {"energy_bound_j", number(component.bound.joules())},
          {"gap_s", number(seconds(component.gap))},
          {"method", to_string(component.method)},
          {"source", component.source}};
}

Json share_json(const ShareReport& share) {
  return {{"own_j", number(share.own.joules())},
          {"rest_j", number(share.rest.joules())},
          {"idle_j", number(share.idle.joules())},
          {"unknown_j", number(share.unknown.joules())},
          {"own_bound_j", number(share.bound.joules())}};
}

Json share_json(const ProcessShare& share) {
  return {{"cpu", share_json(share.cpu)},
          {"gpu", share_json(share.gpu)},
          {"ram", share_json(share.ram)},
          {"source", share.source}};
}

Json place_json(const PlaceReport& place) {
  return {{"country_name", place.country_name},
          {"country_iso_code", place.country_iso_code},
          {"region", place.region},
          {"cloud_provider", place.cloud_provider},
          {"cloud_region", place.cloud_region},
          {"longitude", number(place.longitude)},
          {"latitude", number(place.latitude)},
          {"on_cloud", place.on_cloud}};
}

Json system_json(const SystemReport& system) {
  return {{"os", system.os},
          {"python_version", system.python_version},
          {"codecarbon_version", kVersion},
          {"host", system.host},
          {"cpu_count", system.cpu_count},
          {"cpu_model", system.cpu_model},
          {"gpu_count", system.gpu_count},
          {"gpu_model", system.gpu_model},
          {"ram_total_gb", number(system.ram_total_gb)}};
}

Json usage_json(const UsageReport& usage) {
  return {{"cpu_percent", number(usage.cpu_percent)},
          {"gpu_percent", number(usage.gpu_percent)},
          {"ram_percent", number(usage.ram_percent)},
          {"ram_used_gb", number(usage.ram_used_gb)}};
}

void add_figures(Json& json, const Report& report) {
  json["duration_s"] = number(seconds(report.duration));
  json["energy_j"] = number(report.energy().joules());
  json["energy_bound_j"] = number(report.bound().joules());
  json["emissions_g"] = number(report.emissions.grams());
  json["water_l"] = number(report.water.litres());
  json["pue"] = number(report.pue);
  json["wue_l_per_kwh"] = number(report.wue);
  json["cpu"] = component_json(report.cpu);
  json["gpu"] = component_json(report.gpu);
  json["ram"] = component_json(report.ram);
  if (report.node) {
    json["node"] = component_json(report.node->meter);
    json["node"]["residual_j"] = number(report.node->residual.joules());
  }
  if (report.share) json["process_share"] = share_json(*report.share);
}

Json report_json(const Report& report) {
  Json json = {{"timestamp", utc_time(report.timestamp)},
               {"project_name", report.project_name},
               {"run_id", report.run_id},
               {"experiment_id", report.experiment_id},
               {"experiment_name", report.experiment_name},
               {"tracking_mode", report.tracking_mode},
               {"job", job_json(report.job)}};
  add_figures(json, report);
  json["intensity"] = {{"g_co2e_per_kwh", number(report.intensity.value.g_per_kwh())},
                       {"method", report.intensity.method},
                       {"source", report.intensity.source}};
  json["place"] = place_json(report.place);
  json["system"] = system_json(report.system);
  json["usage"] = usage_json(report.usage);
  json["notes"] = report.notes;
  return json;
}

/// Names may hold any bytes; what is no UTF-8 becomes the replacement character.
std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string to_json(const Report& report) {
  return text_of(report_json(report));
}

std::string to_json(const TaskReport& task) {
  Json json = {{"task_name", task.task_name}};
  json.update(report_json(task.report));
  return text_of(json);
}

}  // namespace codecarbon
