// What sampling costs the process it lives in, for comparison with floor.c.
//
//   sampling_cost HZ SECONDS HOST_ROOT
//
// Samples the powercap tree below HOST_ROOT with the engine and prints one JSON object: samples,
// CPU seconds of the whole process, and the share of beats whose sample came more than half a
// period late or not at all.

#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "beats.hpp"
#include "sampling/sampler.hpp"
#include "sensors/rapl/rapl.hpp"

namespace {

using namespace codecarbon;

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

/// Notes when it is read, then reads what it wraps.
class TimedProbe final : public Probe {
 public:
  TimedProbe(std::unique_ptr<Probe> inner, const Clock& clock, std::vector<MonoTime>& times)
      : inner_(std::move(inner)), clock_(clock), times_(times) {}
  std::span<const SensorInfo> sensors() const override { return inner_->sensors(); }
  void read(MonoTime tick, std::span<Reading> readings) override {
    if (times_.size() < times_.capacity()) times_.push_back(clock_.now());
    inner_->read(tick, readings);
  }

 private:
  std::unique_ptr<Probe> inner_;
  const Clock& clock_;
  std::vector<MonoTime>& times_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: sampling_cost HZ SECONDS HOST_ROOT\n");
    return 2;
  }
  const double hz = std::atof(argv[1]);
  const auto period = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(1 / hz));
  const auto length =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(std::atof(argv[2])));
  const auto clock = std::make_shared<const SystemClock>();
  Discovery found = rapl::discover(Host(argv[3], Environment(), clock), SensorSettings());
  if (found.probes.empty()) {
    fmt::print(stderr, "no counters below {}\n", argv[3]);
    return 1;
  }

  std::vector<MonoTime> times;
  times.reserve(static_cast<std::size_t>(hz * std::atof(argv[2])) + 10);
  auto probes = std::move(found.probes);
  probes[0] = std::make_unique<TimedProbe>(std::move(probes[0]), *clock, times);
  std::vector<const SensorInfo*> sensors;
  for (const auto& probe : probes) sensors.push_back(&probe->sensors()[0]);
  Sampler sampler(std::move(probes), select_sensors(sensors, {}), clock, period,
                  [](const SensorInfo&, GapCause) {});

  const auto window = sampler.add_window();
  Alarm never;
  const double before = cpu_seconds();
  sampler.open(window);
  clock->wait_until(clock->now() + length, never);
  sampler.close(window);
  const double used = cpu_seconds() - before;
  fmt::print("{{\"samples\": {}, \"cpu_s\": {:.6f}, \"late_share\": {:.6f}}}\n", times.size(), used,
             late_share(times, period, length));
  return 0;
}
