#include <fmt/format.h>

#include <string>
#include <utility>

#include "codecarbon/codecarbon.h"
#include "codecarbon/tracker.hpp"
#include "codecarbon/version.hpp"
#include "config/option_table.hpp"

struct codecarbon_options {
  codecarbon::Options options;
  codecarbon::Hooks hooks;
  std::string error;
};

struct codecarbon_tracker {
  codecarbon::Tracker tracker;
  std::string run_id;
};

namespace {

int give(std::optional<codecarbon::Carbon> emissions, double* emissions_kg) {
  if (!emissions) return 1;
  if (emissions_kg != nullptr) *emissions_kg = emissions->kilograms();
  return 0;
}

void fill(const codecarbon::Report& report, codecarbon_totals& totals) {
  totals.duration_s = codecarbon::seconds(report.duration);
  totals.energy_j = report.energy().joules();
  totals.cpu_energy_j = report.cpu.energy.joules();
  totals.gpu_energy_j = report.gpu.energy.joules();
  totals.ram_energy_j = report.ram.energy.joules();
  totals.energy_bound_j = report.bound().joules();
  totals.emissions_g = report.emissions.grams();
  totals.water_l = report.water.litres();
}

std::string_view text_or_empty(const char* text) {
  return text == nullptr ? "" : text;
}

}  // namespace

extern "C" {

const char* codecarbon_version(void) {
  return codecarbon::kVersion;
}

codecarbon_options* codecarbon_options_new(void) {
  return new codecarbon_options;
}

void codecarbon_options_free(codecarbon_options* options) {
  delete options;
}

int codecarbon_options_set(codecarbon_options* options, const char* name, const char* value) {
  const codecarbon::OptionRow* row = codecarbon::find_option(text_or_empty(name));
  if (row == nullptr) {
    options->error =
        fmt::format("there is no option \"{}\"; docs/options.md lists them", text_or_empty(name));
    return -1;
  }
  if (const auto set = row->set(options->options, text_or_empty(value)); !set) {
    options->error = set.error().message;
    return -1;
  }
  options->error.clear();
  return 0;
}

const char* codecarbon_options_error(const codecarbon_options* options) {
  return options->error.c_str();
}

void codecarbon_options_set_log_hook(codecarbon_options* options, codecarbon_log_hook hook,
                                     void* user) {
  if (hook == nullptr) {
    options->hooks.log = nullptr;
    return;
  }
  options->hooks.log = [hook, user](codecarbon::LogLevel level, std::string_view line) {
    hook(static_cast<codecarbon_log_level>(level), std::string(line).c_str(), user);
  };
}

codecarbon_tracker* codecarbon_tracker_new(codecarbon_options* options) {
  auto made = options == nullptr ? codecarbon::Tracker::create()
                                 : codecarbon::Tracker::create(options->options, options->hooks);
  if (!made) {
    if (options != nullptr) options->error = made.error().message;
    return nullptr;
  }
  std::string run_id(made->run_id());
  return new codecarbon_tracker{std::move(*made), std::move(run_id)};
}

void codecarbon_tracker_free(codecarbon_tracker* tracker) {
  delete tracker;
}

int codecarbon_start(codecarbon_tracker* tracker, double* emissions_kg) {
  return give(tracker->tracker.start(), emissions_kg);
}
int codecarbon_pause(codecarbon_tracker* tracker, double* emissions_kg) {
  return give(tracker->tracker.pause(), emissions_kg);
}
int codecarbon_resume(codecarbon_tracker* tracker, double* emissions_kg) {
  return give(tracker->tracker.resume(), emissions_kg);
}
int codecarbon_flush(codecarbon_tracker* tracker, double* emissions_kg) {
  return give(tracker->tracker.flush(), emissions_kg);
}
int codecarbon_stop(codecarbon_tracker* tracker, double* emissions_kg) {
  return give(tracker->tracker.stop(), emissions_kg);
}

const char* codecarbon_start_task(codecarbon_tracker* tracker, const char* name) {
  // Per thread, so that two threads that open tasks at once do not share the text.
  thread_local std::string key;
  key = tracker->tracker.start_task(text_or_empty(name));
  return key.c_str();
}

int codecarbon_stop_task(codecarbon_tracker* tracker, const char* key, codecarbon_totals* totals) {
  const auto task = tracker->tracker.stop_task(text_or_empty(key));
  if (!task) return 1;
  if (totals != nullptr) fill(task->report, *totals);
  return 0;
}

void codecarbon_report(codecarbon_tracker* tracker, codecarbon_totals* totals) {
  fill(tracker->tracker.report(), *totals);
}

const char* codecarbon_run_id(const codecarbon_tracker* tracker) {
  return tracker->run_id.c_str();
}

}  // extern "C"
