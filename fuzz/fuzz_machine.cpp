// Machine files: any bytes give a machine that can be played or one line that says what is wrong.
// What a machine shows lies in its range, and its parts sum to the whole.

#include <array>
#include <memory>
#include <vector>

#include "codecarbon/clock.hpp"
#include "require.hpp"
#include "sensors/simulated/simulated_machine.hpp"

namespace codecarbon::fuzz {
namespace {

using simulated::SimulatedMachine;

// Odd times, so that steps and periods are met in their middle too.
constexpr std::array<Duration, 4> kSteps = {Duration{0}, Duration{1'500'000'007},
                                            Duration{61'000'000'001}, std::chrono::hours(3)};

void check_reading(const SensorInfo& sensor, const Reading& reading) {
  if (!reading.value) return;
  // Energy and power may be anything: a script may make them glitch.
  const bool utilization = sensor.quantity == Quantity::utilization;
  if (utilization || sensor.quantity == Quantity::memory_used) require(*reading.value >= 0);
  if (utilization) require(*reading.value <= 1'000'000);
}

void play(const SimulatedMachine& machine) {
  const auto clock = std::make_shared<ManualClock>();
  const auto probes = machine.probes(clock->now());
  std::vector<Reading> readings;
  for (const Duration step : kSteps) {
    clock->advance(step);
    for (const auto& probe : probes) {
      readings.assign(probe->sensors().size(), Reading{});
      probe->read(clock->now(), readings);
      for (std::size_t i = 0; i < readings.size(); ++i) {
        check_reading(probe->sensors()[i], readings[i]);
      }
    }
  }
}

void check_truth(const SimulatedMachine& machine) {
  Duration now{0};
  Energy sum;
  for (const Duration step : kSteps) {
    const Energy part = machine.true_total(now, now + step);
    require(part >= Energy{});
    sum += part;
    now += step;
  }
  require(sum == machine.true_total(Duration{0}, now));
}

void check(std::string_view text) {
  const auto machine = SimulatedMachine::parse(text, "fuzz.json");
  if (!machine) {
    require_message(machine.error().message);
    return;
  }
  check_truth(*machine);
  play(*machine);
}

}  // namespace
}  // namespace codecarbon::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  codecarbon::fuzz::check(codecarbon::fuzz::as_text(data, size));
  return 0;
}
