// What the engine's own parts cost: one sample of a large simulated node, a task window, a row.
// Counts allocations too: a sample makes none.

#include <benchmark/benchmark.h>

#include <fstream>
#include <string>

#include "codecarbon/codecarbon.hpp"
#include "readings/allocations_fixture.hpp"
#include "report/row.hpp"
#include "sampling/sampler.hpp"
#include "sensors/simulated/simulated_machine.hpp"

namespace {

using namespace codecarbon;

constexpr const char* kNode = CODECARBON_SOURCE_DIR "/tests/simulated_machines/node-2s8g.json";

/// One sample of a two-socket, eight-GPU node inside the engine: probes, counters, attribution.
void sample_of_a_large_node(benchmark::State& state) {
  const auto clock = std::make_shared<const SystemClock>();
  const auto machine = simulated::SimulatedMachine::load(kNode).value();
  auto probes = machine.probes(clock->now());
  std::vector<const SensorInfo*> sensors;
  for (const auto& probe : probes) {
    for (const SensorInfo& info : probe->sensors()) sensors.push_back(&info);
  }
  const auto uses = select_sensors(sensors, {});
  Sampler sampler(std::move(probes), uses, clock, std::chrono::hours(1),
                  [](const SensorInfo&, GapCause) {});
  const auto run = sampler.add_window();
  sampler.open(run);
  sampler.sample_now();
  const long before = testing_support::allocations_so_far();
  for (auto _ : state) sampler.sample_now();
  state.counters["allocations"] =
      benchmark::Counter(static_cast<double>(testing_support::allocations_so_far() - before),
                         benchmark::Counter::kAvgIterations);
}
BENCHMARK(sample_of_a_large_node);

Tracker make_tracker() {
  Options options;
  options.machine = kNode;
  options.save_to_file = false;
  options.country_iso_code = "FRA";
  options.measure_power_secs = 3600;
  return std::move(Tracker::create(options).value());
}

void start_task_and_stop_task(benchmark::State& state) {
  auto tracker = make_tracker();
  tracker.start();
  for (auto _ : state) tracker.stop_task(tracker.start_task("step"));
}
// A tracker keeps what its tasks used, so the number of tasks is bounded.
BENCHMARK(start_task_and_stop_task)->Iterations(20'000);

void report_of_a_large_node(benchmark::State& state) {
  auto tracker = make_tracker();
  tracker.start();
  for (auto _ : state) benchmark::DoNotOptimize(tracker.report());
}
BENCHMARK(report_of_a_large_node);

void encode_a_row(benchmark::State& state) {
  auto tracker = make_tracker();
  tracker.start();
  const Report report = tracker.report();
  for (auto _ : state) benchmark::DoNotOptimize(encode_row(report));
}
BENCHMARK(encode_a_row);

}  // namespace

BENCHMARK_MAIN();
