#include "tracker/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "node/ancestry.hpp"
#include "sinks/csv_sink.hpp"
#include "sinks/log_sink.hpp"
#include "tracker/job.hpp"
#include "tracker/run_id.hpp"
#include "tracker/system_facts.hpp"

namespace codecarbon {
namespace {

std::filesystem::path working_directory() {
  std::error_code error;
  auto path = std::filesystem::current_path(error);
  return error ? std::filesystem::path(".") : path;
}

std::vector<std::shared_ptr<Sink>> open_sinks(const Options& options, const std::string& csv_file,
                                              const std::shared_ptr<const Logger>& logger,
                                              std::vector<std::shared_ptr<Sink>> given) {
  std::vector<std::shared_ptr<Sink>> sinks;
  if (*options.save_to_file) {
    const auto file = std::filesystem::path(*options.output_dir) / csv_file;
    sinks.push_back(make_csv_sink({file, *options.on_csv_write, *options.csv_columns}, logger));
  }
  if (*options.save_to_logger) sinks.push_back(make_log_sink(logger));
  sinks.insert(sinks.end(), std::make_move_iterator(given.begin()),
               std::make_move_iterator(given.end()));
  return sinks;
}

bool is_process_mode(const Options& options) {
  return options.tracking_mode == TrackingMode::process;
}

/// Whose share is looked at; in machine mode nobody's, unless another program is run.
std::optional<TrackedProcesses> tracked_processes(const Options& options, const Hooks& hooks) {
  if (hooks.tracks_children) return TrackedProcesses::children;
  return is_process_mode(options) ? std::optional(TrackedProcesses::self) : std::nullopt;
}

/// What a person should know who asked for the share of a process where there is none.
Error no_share(const Equipment& equipment) {
  std::string reason = "nothing tells one process from another";
  for (const BackEndDiagnosis& back_end : equipment.back_ends) {
    if (back_end.name != "process" || back_end.findings.empty()) continue;
    reason = back_end.findings.back().reason;
  }
  return {
      ErrorKind::invalid_value,
      fmt::format("tracking_mode: process cannot be had here: {}; accepted here: machine", reason),
      "tracking_mode"};
}

RunContext make_context(const Options& options, const LocatedIntensity& located,
                        SystemReport system) {
  RunContext context;
  context.project_name = *options.project_name;
  context.run_id = options.run_id ? *options.run_id : make_run_id();
  context.experiment_id = *options.experiment_id;
  context.experiment_name = *options.experiment_name;
  context.tracking_mode = is_process_mode(options) ? "process" : "machine";
  context.pue = *options.pue;
  context.wue = *options.wue;
  context.place = located.place;
  context.intensity = located.intensity;
  context.system = std::move(system);
  return context;
}

std::vector<std::string> sensor_lines(const Equipment& equipment) {
  std::vector<std::string> lines;
  for (const SensorDiagnosis& sensor : describe_sensors(equipment)) {
    lines.push_back(sensor.use.empty() ? fmt::format("{} ({}): passed over, {}", sensor.name,
                                                     sensor.source, sensor.reason)
                                       : fmt::format("{} ({}): {}, {}", sensor.name, sensor.source,
                                                     sensor.use, to_string(sensor.method)));
  }
  return lines;
}

bool has_model(const Equipment& equipment) {
  const auto sensors = describe_sensors(equipment);
  return std::any_of(sensors.begin(), sensors.end(), [](const SensorDiagnosis& sensor) {
    return !sensor.use.empty() && sensor.method == Method::modelled;
  });
}

/// A counter that is there and gives nothing, while a model stands in for one.
void tell_unused_counter(const Logger& logger, const Equipment& equipment) {
  if (!has_model(equipment)) return;
  for (const BackEndDiagnosis& back_end : equipment.back_ends) {
    for (const Finding& finding : back_end.findings) {
      const bool denied = finding.outcome == Finding::Outcome::denied;
      if (!denied && finding.outcome != Finding::Outcome::unsupported) continue;
      logger.log(LogLevel::warning,
                 fmt::format("a counter is there but {}, and a model is used instead: {}; "
                             "`codecarbon doctor` says what to do",
                             denied ? "may not be read" : "gives nothing", finding.subject));
      return;
    }
  }
}

/// What a person should know about where the figures will come from. `detail` is the level of what
/// is no warning.
void tell(const Logger& logger, const Equipment& equipment, const LocatedIntensity& located,
          const Options& options, LogLevel detail) {
  for (const std::string& warning : located.warnings) logger.log(LogLevel::warning, warning);
  for (const std::string& id : equipment.unknown_gpu_ids) {
    logger.log(LogLevel::warning,
               fmt::format("no GPU answers to \"{}\" of {}; `codecarbon detect` lists those that "
                           "are here",
                           id, options.gpu_ids ? "gpu_ids" : "the environment"));
  }
  tell_unused_counter(logger, equipment);
  bool cpu = false;
  for (const SensorDiagnosis& sensor : describe_sensors(equipment)) {
    if (sensor.use.empty() || sensor.use == "usage") continue;
    cpu = cpu || sensor.use == "cpu";
    logger.log(
        sensor.method == Method::measured ? LogLevel::debug : detail,
        fmt::format("{} power is {}: {}", sensor.use, to_string(sensor.method), sensor.source));
  }
  if (!cpu) {
    logger.log(LogLevel::warning,
               "no CPU power can be had on this machine, neither measured nor modelled; "
               "`codecarbon doctor` says why");
  }
}

void tell_job(const Logger& logger, const FoundPlace& job, LogLevel detail) {
  for (const std::string& remark : job.remarks) logger.log(LogLevel::warning, remark);
  if (job.place) logger.log(detail, job_text(describe_job(*job.place)));
}

}  // namespace

Host make_host(const Options& options, std::shared_ptr<const Clock> clock) {
  return Host(options.host_root.value_or("/"), Environment::of_process(), std::move(clock));
}

Result<LocatedIntensity> locate_for(const Options& options) {
  PlaceRequest request;
  request.country_iso_code = options.country_iso_code.value_or("");
  request.country_2letter_iso_code = options.country_2letter_iso_code.value_or("");
  request.region = options.region.value_or("");
  request.cloud_provider = options.cloud_provider.value_or("");
  request.cloud_region = options.cloud_region.value_or("");
  if (options.force_carbon_intensity_g_co2e_kwh) {
    request.forced_intensity =
        CarbonIntensity::from_g_per_kwh(*options.force_carbon_intensity_g_co2e_kwh);
  }
  return locate(request);
}

Result<Setup> set_up(const Options& keywords, Hooks hooks) {
  auto resolved = resolve_options(keywords, Environment::of_process(), working_directory(),
                                  hooks.options_origin);
  if (!resolved) return tl::unexpected(std::move(resolved.error()));
  const Options& options = resolved->options;
  const auto logger = std::make_shared<const Logger>(hooks.log, *options.log_level,
                                                     options.logger_preamble.value_or(""));
  auto clock = hooks.clock ? hooks.clock : std::make_shared<const SystemClock>();

  auto located = locate_for(options);
  if (!located) return tl::unexpected(resolved->with_origin(located.error()));
  const Host host = make_host(options, clock);
  auto equipment = find_equipment(host, options, tracked_processes(options, hooks));
  if (!equipment) return tl::unexpected(resolved->with_origin(equipment.error()));
  if (is_process_mode(options) && !equipment->processes) {
    return tl::unexpected(resolved->with_origin(no_share(*equipment)));
  }
  SystemReport system = describe_system(host, *equipment);
  const FoundPlace found = find_job(options, host.environment());
  const auto job = found.place ? std::optional(describe_job(*found.place)) : std::nullopt;
  auto sinks = open_sinks(options, expand_output_file(options, job, system.host), logger,
                          std::move(hooks.sinks));

  // Of hundreds of ranks one per node is enough to say what all of them see.
  const LogLevel detail = speaks_for_node(found.place) ? LogLevel::info : LogLevel::debug;
  tell(*logger, *equipment, *located, options, detail);
  tell_job(*logger, found, detail);
  system.python_version = std::move(hooks.python_version);

  Setup setup;
  setup.place = found.place;
  setup.sensor_lines = sensor_lines(*equipment);
  setup.parts.context = make_context(options, *located, std::move(system));
  setup.parts.context.job = job;
  // A program that only runs another is no part of what that does.
  if (!job && !hooks.tracks_children) {
    setup.parts.mark = mark_tracked_run(setup.parts.context.run_id);
  }
  if (equipment->processes) {
    setup.parts.context.share_use = is_process_mode(options) ? ShareUse::figures : ShareUse::beside;
    setup.parts.context.share_source = equipment->processes->description();
  }
  setup.parts.processes = std::move(equipment->processes);
  setup.parts.probes = std::move(equipment->probes);
  setup.parts.uses = std::move(equipment->uses);
  setup.parts.sinks = std::move(sinks);
  setup.parts.clock = std::move(clock);
  setup.parts.logger = logger;
  setup.parts.period = std::chrono::duration_cast<Duration>(
      std::chrono::duration<double>(*options.measure_power_secs));
  return setup;
}

}  // namespace codecarbon
