// What a tracker's calls cost, in a fresh process.
//
//   lifecycle_cost FOLDER append|update
//
// FOLDER may hold an emissions.csv of any length (made by the caller). Prints one JSON object: the
// first construct+start+stop of the process, the median of later ones, the median flush, memory and
// threads added.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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

Tracker make(const std::string& folder, CsvMode mode) {
  Options options;
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

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: lifecycle_cost FOLDER append|update\n");
    return 2;
  }
  const SystemClock clock;
  const std::string folder = argv[1];
  const CsvMode mode = std::string(argv[2]) == "update" ? CsvMode::update : CsvMode::append;

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
  std::vector<double> flush_ms;
  for (int i = 0; i < 200; ++i) {
    const MonoTime begin = clock.now();
    tracker.flush();
    flush_ms.push_back(ms_since(begin, clock));
  }
  const double memory_mb = resident_mb() - memory_before;
  const std::size_t threads_added = threads() - threads_before;
  tracker.stop();
  fmt::print(
      "{{\"first_ms\": {:.4f}, \"later_ms\": {:.4f}, \"flush_ms\": {:.4f}, "
      "\"memory_mb\": {:.2f}, \"threads\": {}}}\n",
      first_ms, median(later_ms), median(flush_ms), memory_mb, threads_added);
  return 0;
}
