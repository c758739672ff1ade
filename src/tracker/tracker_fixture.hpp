#pragma once

// What the tracker's tests share: a scripted machine in a folder of its own, a clock that is moved
// by hand, and a sink that keeps what it is given.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "codecarbon/tracker.hpp"
#include "sensors/simulated/simulated_machine.hpp"

namespace codecarbon {

class KeepingSink final : public Sink {
 public:
  std::string_view name() const override { return "keeping"; }
  Status write(const Report& report) override {
    reports.push_back(report);
    return {};
  }
  Status write_tasks(std::span<const TaskReport> given) override {
    tasks.assign(given.begin(), given.end());
    return {};
  }

  std::vector<Report> reports;
  std::vector<TaskReport> tasks;
};

/// 100 W in one package, nothing else.
inline constexpr const char* kHundredWatts =
    R"({"sockets": [{"package": {"power_w": 100, "range_j": 262143.32885}}]})";

class TrackerTest : public testing::Test {
 protected:
  TrackerTest() {
    char pattern[] = "/tmp/codecarbon-tracker-XXXXXX";
    folder = ::mkdtemp(pattern);
  }
  ~TrackerTest() override { std::filesystem::remove_all(folder); }

  /// A tracker of the machine in this JSON text; rows go to `sink` only unless options say more.
  Tracker make(const std::string& machine_json, Options options = {}) {
    const auto file = folder / "machine.json";
    std::ofstream(file) << machine_json;
    options.machine = file.string();
    if (!options.save_to_file) options.save_to_file = false;
    if (!options.country_iso_code) options.country_iso_code = "FRA";
    auto tracker = Tracker::create(options, hooks());
    if (!tracker) throw std::runtime_error(tracker.error().message);
    return std::move(*tracker);
  }

  Hooks hooks() {
    Hooks hooks;
    hooks.clock = clock;
    hooks.sinks = more_sinks;
    hooks.sinks.push_back(sink);
    hooks.log = [this](LogLevel level, std::string_view line) {
      const std::lock_guard lock(said_mutex);
      if (level >= LogLevel::warning) said.emplace_back(line);
    };
    return hooks;
  }

  void pass(Duration time) { clock->advance(time); }

  std::filesystem::path folder;
  std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>();
  std::shared_ptr<KeepingSink> sink = std::make_shared<KeepingSink>();
  std::vector<std::shared_ptr<Sink>> more_sinks;  // of the trackers that are made from now on
  std::mutex said_mutex;                          // the hook may be called by several threads
  std::vector<std::string> said;
};

}  // namespace codecarbon
