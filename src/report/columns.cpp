#include "report/columns.hpp"

#include <fmt/format.h>

#include <array>
#include <ctime>

#include "codecarbon/version.hpp"
#include "report/number_text.hpp"

namespace codecarbon {
namespace {

/// Local time without a zone, as existing readers expect it.
std::string local_time(WallTime timestamp) {
  const std::time_t time =
      std::chrono::system_clock::to_time_t(std::chrono::floor<std::chrono::seconds>(timestamp));
  std::tm parts{};
  if (::localtime_r(&time, &parts) == nullptr) return {};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

/// A mean over the active time of the row, from the row's own figures, so that mean x duration
/// gives the total back to the last digits. Over no time there is no rate: zero.
double per_second(const Report& report, double total) {
  const double duration_s = seconds(report.duration);
  return duration_s > 0 ? total / duration_s : 0.0;
}

std::string mean_watts(const Report& report, const ComponentReport& component) {
  return number_text(per_second(report, component.energy.kwh() * 3.6e6));
}

/// Added as a reader adds the three columns, so that the row's sum is exact for every reader.
double sum_kwh(const Report& report) {
  return report.cpu.energy.kwh() + report.gpu.energy.kwh() + report.ram.energy.kwh();
}

/// A machine without processors or memory is one we know nothing about.
std::string known_count(int count) {
  return count > 0 ? std::to_string(count) : std::string{};
}
std::string known_size(double size) {
  return size > 0 ? number_text(size) : std::string{};
}

std::string number_of(const std::optional<int>& number) {
  return number ? std::to_string(*number) : std::string{};
}

std::string bound_kwh(const ComponentReport& component) {
  return component.method == Method::none ? std::string{} : number_text(component.bound.kwh());
}

std::string method_name(const ComponentReport& component) {
  return std::string(to_string(component.method));
}

using R = const Report&;

constexpr auto kColumns = std::to_array<Column>({
    {"timestamp", "local time", "when the row's figures were taken, to the second",
     [](R r) { return local_time(r.timestamp); }},
    {"project_name", "text", "option project_name", [](R r) { return r.project_name; }},
    {"run_id", "text", "one per tracker, the same in all its rows", [](R r) { return r.run_id; }},
    {"experiment_id", "text", "option experiment_id", [](R r) { return r.experiment_id; }, false},
    {"duration", "s", "active time since the run's start; pauses are not in it",
     [](R r) { return number_text(seconds(r.duration)); }},
    {"emissions", "kg CO2e", "of energy_consumed at the place's carbon intensity",
     [](R r) { return number_text(r.emissions.kilograms()); }},
    {"emissions_rate", "kg CO2e/s", "emissions / duration",
     [](R r) { return number_text(per_second(r, r.emissions.kilograms())); }},
    {"cpu_power", "W", "mean over the active time: cpu_energy / duration",
     [](R r) { return mean_watts(r, r.cpu); }},
    {"gpu_power", "W", "mean over the active time: gpu_energy / duration",
     [](R r) { return mean_watts(r, r.gpu); }},
    {"ram_power", "W", "mean over the active time: ram_energy / duration",
     [](R r) { return mean_watts(r, r.ram); }},
    {"cpu_energy", "kWh", "of the processors, PUE included",
     [](R r) { return number_text(r.cpu.energy.kwh()); }},
    {"gpu_energy", "kWh", "of the GPUs, PUE included; 0.0 without GPU",
     [](R r) { return number_text(r.gpu.energy.kwh()); }},
    {"ram_energy", "kWh", "of the memory, PUE included",
     [](R r) { return number_text(r.ram.energy.kwh()); }},
    {"energy_consumed", "kWh", "cpu_energy + gpu_energy + ram_energy, exactly",
     [](R r) { return number_text(sum_kwh(r)); }},
    {"water_consumed", "litre", "wue x energy", [](R r) { return number_text(r.water.litres()); }},
    {"country_name", "text", "empty when unknown", [](R r) { return r.place.country_name; }},
    {"country_iso_code", "text", "three letters; empty when unknown",
     [](R r) { return r.place.country_iso_code; }},
    {"region", "text", "state or province; empty when unknown", [](R r) { return r.place.region; }},
    {"cloud_provider", "text", "empty outside a cloud", [](R r) { return r.place.cloud_provider; }},
    {"cloud_region", "text", "empty outside a cloud", [](R r) { return r.place.cloud_region; }},
    {"os", "text", "operating system and release", [](R r) { return r.system.os; }},
    {"python_version", "text", "empty outside Python", [](R r) { return r.system.python_version; }},
    {"codecarbon_version", "text", "of the program that wrote the row",
     [](R) { return std::string(kVersion); }},
    {"cpu_count", "count", "logical processors; empty when unknown",
     [](R r) { return known_count(r.system.cpu_count); }},
    {"cpu_model", "text", "empty when unknown", [](R r) { return r.system.cpu_model; }},
    {"gpu_count", "count", "GPUs that were measured; 0 without GPU",
     [](R r) { return std::to_string(r.system.gpu_count); }},
    {"gpu_model", "text", "empty without GPU", [](R r) { return r.system.gpu_model; }},
    {"longitude", "degree", "empty when unknown",
     [](R r) { return number_text(r.place.longitude); }},
    {"latitude", "degree", "empty when unknown", [](R r) { return number_text(r.place.latitude); }},
    {"ram_total_size", "GB",
     "memory of the machine, or what a container or job may use of it; empty when unknown",
     [](R r) { return known_size(r.system.ram_total_gb); }},
    {"tracking_mode", "text", "machine or process", [](R r) { return r.tracking_mode; }},
    {"cpu_utilization_percent", "%", "mean over the active time; empty when not known",
     [](R r) { return number_text(r.usage.cpu_percent); }},
    {"gpu_utilization_percent", "%", "mean over the active time; empty when not known",
     [](R r) { return number_text(r.usage.gpu_percent); }},
    {"ram_utilization_percent", "%", "mean over the active time; empty when not known",
     [](R r) { return number_text(r.usage.ram_percent); }},
    {"ram_used_gb", "GB", "mean over the active time; empty when not known",
     [](R r) { return number_text(r.usage.ram_used_gb); }},
    {"on_cloud", "Y or N", "whether the place is a cloud region",
     [](R r) { return std::string(r.place.on_cloud ? "Y" : "N"); }},
    {"pue", "ratio", "power usage effectiveness that the figures include",
     [](R r) { return number_text(r.pue); }, false},
    {"wue", "litre/kWh", "water usage effectiveness", [](R r) { return number_text(r.wue); },
     false},

    {"host", "text", "name of the node", [](R r) { return r.system.host; }},
    {"rank", "number", "of this process in its job, from 0; empty outside one",
     [](R r) { return r.job ? number_of(r.job->rank) : std::string(); }},
    {"job_id", "text", "the same for all ranks of a job; empty outside one",
     [](R r) { return r.job ? r.job->id : std::string(); }},
    {"cpu_method", "text", "none, measured, modelled, forced or mixed",
     [](R r) { return method_name(r.cpu); }},
    {"cpu_energy_bound", "kWh", "the truth lies within cpu_energy ± this; empty for method none",
     [](R r) { return bound_kwh(r.cpu); }},
    {"gpu_method", "text", "none, measured, modelled, forced or mixed",
     [](R r) { return method_name(r.gpu); }},
    {"gpu_energy_bound", "kWh", "the truth lies within gpu_energy ± this; empty for method none",
     [](R r) { return bound_kwh(r.gpu); }},
    {"ram_method", "text", "none, measured, modelled, forced or mixed",
     [](R r) { return method_name(r.ram); }},
    {"ram_energy_bound", "kWh", "the truth lies within ram_energy ± this; empty for method none",
     [](R r) { return bound_kwh(r.ram); }},
    {"node_energy", "kWh",
     "of the whole machine by its own meter, PUE included; never part of energy_consumed; empty "
     "without one",
     [](R r) { return r.node ? number_text(r.node->meter.energy.kwh()) : std::string(); }},
    {"node_energy_bound", "kWh", "the truth lies within node_energy ± this; empty without a meter",
     [](R r) { return r.node ? bound_kwh(r.node->meter) : std::string(); }},
    {"intensity_method", "text", "country, region, cloud region, forced or world average",
     [](R r) { return r.intensity.method; }},
    {"intensity_g_co2e_per_kwh", "g CO2e/kWh", "the carbon intensity that was applied",
     [](R r) { return number_text(r.intensity.value.g_per_kwh()); }},
});

}  // namespace

std::span<const Column> all_columns() {
  return kColumns;
}

}  // namespace codecarbon
