#include <exception>
#include <new>
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

// Short enough to be stored without memory.
constexpr const char* kNoMemory = "out of memory";

void explain(std::string* error, const char* text) noexcept {
  if (error == nullptr) return;
  try {
    *error = text;
  } catch (...) {
    *error = kNoMemory;
  }
}

/// The way of every call into the library: no exception may cross into C. `error`, which may be
/// null, then says why, and the answer is `otherwise`.
template <typename Answer, typename Work>
Answer shielded(Answer otherwise, std::string* error, Work work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    explain(error, kNoMemory);
  } catch (const std::exception& failure) {
    explain(error, failure.what());
  } catch (...) {
    explain(error, "it failed");
  }
  return otherwise;
}

template <typename Work>
int shielded_give(Work work, double* emissions_kg) noexcept {
  return shielded(1, nullptr, [&] { return give(work(), emissions_kg); });
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
  return shielded<codecarbon_options*>(nullptr, nullptr, [] { return new codecarbon_options; });
}

void codecarbon_options_free(codecarbon_options* options) {
  delete options;
}

int codecarbon_options_set(codecarbon_options* options, const char* name, const char* value) {
  return shielded(-1, &options->error, [&] {
    const auto set =
        codecarbon::set_option(options->options, text_or_empty(name), text_or_empty(value), {});
    options->error = set ? std::string() : set.error().message;
    return set ? 0 : -1;
  });
}

const char* codecarbon_options_error(const codecarbon_options* options) {
  return options->error.c_str();
}

void codecarbon_options_set_log_hook(codecarbon_options* options, codecarbon_log_hook hook,
                                     void* user) {
  // Two pointers: std::function keeps them without memory.
  options->hooks.log = nullptr;
  if (hook == nullptr) return;
  options->hooks.log = [hook, user](codecarbon::LogLevel level, std::string_view line) {
    shielded(0, nullptr, [&] {
      hook(static_cast<codecarbon_log_level>(level), std::string(line).c_str(), user);
      return 0;
    });
  };
}

codecarbon_tracker* codecarbon_tracker_new(codecarbon_options* options) {
  std::string* const error = options == nullptr ? nullptr : &options->error;
  return shielded<codecarbon_tracker*>(nullptr, error, [&]() -> codecarbon_tracker* {
    auto made = options == nullptr ? codecarbon::Tracker::create()
                                   : codecarbon::Tracker::create(options->options, options->hooks);
    if (!made) {
      if (error != nullptr) *error = made.error().message;
      return nullptr;
    }
    if (error != nullptr) error->clear();
    std::string run_id(made->run_id());
    return new codecarbon_tracker{std::move(*made), std::move(run_id)};
  });
}

void codecarbon_tracker_free(codecarbon_tracker* tracker) {
  delete tracker;
}

int codecarbon_start(codecarbon_tracker* tracker, double* emissions_kg) {
  return shielded_give([&] { return tracker->tracker.start(); }, emissions_kg);
}
int codecarbon_pause(codecarbon_tracker* tracker, double* emissions_kg) {
  return shielded_give([&] { return tracker->tracker.pause(); }, emissions_kg);
}
int codecarbon_resume(codecarbon_tracker* tracker, double* emissions_kg) {
  return shielded_give([&] { return tracker->tracker.resume(); }, emissions_kg);
}
int codecarbon_flush(codecarbon_tracker* tracker, double* emissions_kg) {
  return shielded_give([&] { return tracker->tracker.flush(); }, emissions_kg);
}
int codecarbon_stop(codecarbon_tracker* tracker, double* emissions_kg) {
  return shielded_give([&] { return tracker->tracker.stop(); }, emissions_kg);
}

const char* codecarbon_start_task(codecarbon_tracker* tracker, const char* name) {
  // Per thread, so that two threads that open tasks at once do not share the text.
  thread_local std::string key;
  return shielded<const char*>(nullptr, nullptr, [&] {
    key = tracker->tracker.start_task(text_or_empty(name));
    return key.c_str();
  });
}

int codecarbon_stop_task(codecarbon_tracker* tracker, const char* key, codecarbon_totals* totals) {
  return shielded(1, nullptr, [&] {
    const auto task = tracker->tracker.stop_task(text_or_empty(key));
    if (!task) return 1;
    if (totals != nullptr) fill(task->report, *totals);
    return 0;
  });
}

void codecarbon_report(codecarbon_tracker* tracker, codecarbon_totals* totals) {
  *totals = {};
  shielded(0, nullptr, [&] {
    fill(tracker->tracker.report(), *totals);
    return 0;
  });
}

const char* codecarbon_run_id(const codecarbon_tracker* tracker) {
  return tracker->run_id.c_str();
}

}  // extern "C"
