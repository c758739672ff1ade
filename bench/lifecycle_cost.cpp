// What a tracker's calls cost, in a fresh process.
//
//   lifecycle_cost FOLDER append|update [RUN_ID]
//
// FOLDER may hold an emissions.csv of any length (made by the caller). Prints one JSON object: the
// first construct+start+stop of the process, the median of later ones, the median flush, memory and
// threads added. With RUN_ID instead: the first flush of a tracker of that run, and the median of
// later ones.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "codecarbon/codecarbon.hpp"

namespace {

using namespace codecarbon;

double ms_since(MonoTime start, const Clock& clock) {
  return seconds(clock.now() - start) * 1e3;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

/// Resident memory of this process in MB.
double resident_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::atof(line.c_str() + 6) / 1024;
  }
  return 0;
}

std::size_t threads() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    ++count;
  }
  return count;
}

Tracker make(const std::string& folder, CsvMode mode,
             const std::optional<std::string>& run_id = {}) {
  Options options;
  options.run_id = run_id;
  options.offline = true;
  options.country_iso_code = "FRA";
  options.output_dir = folder;
  options.on_csv_write = mode;
  options.log_level = LogLevel::error;
  auto tracker = Tracker::create(options);
  if (!tracker) {
    fmt::print(stderr, "{}\n", tracker.error().message);
    std::exit(1);
  }
  return std::move(*tracker);
}

double flush_ms(Tracker& tracker, const Clock& clock) {
  const MonoTime begin = clock.now();
  tracker.flush();
  return ms_since(begin, clock);
}

double later_flush_ms(Tracker& tracker, const Clock& clock) {
  std::vector<double> all_ms;
  for (int i = 0; i < 200; ++i) all_ms.push_back(flush_ms(tracker, clock));
  return median(all_ms);
}

void measure_run(const std::string& folder, CsvMode mode, const std::string& run_id) {
  const SystemClock clock;
  auto tracker = make(folder, mode, run_id);
  tracker.start();
  const double first_ms = flush_ms(tracker, clock);
  const double later_ms = later_flush_ms(tracker, clock);
  tracker.stop();
  fmt::print("{{\"first_flush_ms\": {:.4f}, \"flush_ms\": {:.4f}}}\n", first_ms, later_ms);
}

void measure_life(const std::string& folder, CsvMode mode) {
  const SystemClock clock;
  const double memory_before = resident_mb();
  const std::size_t threads_before = threads();
  const auto life = [&] {
    const MonoTime begin = clock.now();
    auto tracker = make(folder, mode);
    tracker.start();
    tracker.stop();
    return ms_since(begin, clock);
  };
  const double first_ms = life();
  std::vector<double> later_ms;
  for (int i = 0; i < 20; ++i) later_ms.push_back(life());

  auto tracker = make(folder, mode);
  tracker.start();
  const double after_ms = later_flush_ms(tracker, clock);
  const double memory_mb = resident_mb() - memory_before;
  const std::size_t threads_added = threads() - threads_before;
  tracker.stop();
  fmt::print(
      "{{\"first_ms\": {:.4f}, \"later_ms\": {:.4f}, \"flush_ms\": {:.4f}, "
      "\"memory_mb\": {:.2f}, \"threads\": {}}}\n",
      first_ms, median(later_ms), after_ms, memory_mb, threads_added);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    fmt::print(stderr, "usage: lifecycle_cost FOLDER append|update [RUN_ID]\n");
    return 2;
  }
  const CsvMode mode = std::string(argv[2]) == "update" ? CsvMode::update : CsvMode::append;
  if (argc == 4) {
    measure_run(argv[1], mode, argv[3]);
  } else {
    measure_life(argv[1], mode);
  }
  return 0;
}
