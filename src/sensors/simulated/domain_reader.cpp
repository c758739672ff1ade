#include "sensors/simulated/domain_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sensors/simulated/fault_reader.hpp"
#include "sensors/simulated/profile_reader.hpp"
#include "units/gigabytes.hpp"

namespace codecarbon::simulated {
namespace {

constexpr double kMostJoules = 1e12;
constexpr double kLeastJoules = 1e-3;
constexpr double kMostResolution = 1e9;
constexpr double kMostGib = 1024.0 * 1024.0;
constexpr double kLongestLagMs = 60'000;

Energy read_joules(const Place& place, double least) {
  return Energy::from_joules(place.number(least, kMostJoules, "joules"));
}

Duration read_lag(const Place& place) {
  return Duration(std::llround(place.number(0, kLongestLagMs, "milliseconds") * 1e6));
}

void read_counter(const Place& place, DomainScript& script) {
  if (const auto range = place.find("range_j")) script.range = read_joules(*range, kLeastJoules);
  if (const auto start = place.find("start_j")) {
    script.start = read_joules(*start, 0);
    if (script.range && script.start >= *script.range) start->reject("less than range_j");
  }
  if (const auto step = place.find("resolution_uj")) {
    script.resolution =
        Energy::from_uj(std::llround(step->number(1, kMostResolution, "microjoules")));
    if (script.range && script.resolution >= *script.range) step->reject("less than range_j");
  }
}

void read_gauge(const Place& place, DomainScript& script) {
  if (const auto window = place.find("window_ms")) script.averaging = read_lag(*window);
}

Quantity read_quantity(const Place& place) {
  constexpr std::string_view kSensors[] = {"energy", "power"};
  const auto sensor = place.find("sensor");
  return sensor && sensor->choice(kSensors) == 1 ? Quantity::power : Quantity::energy;
}

void expect_domain_keys(const Place& place, Quantity quantity) {
  if (quantity == Quantity::energy) {
    place.expect_keys({"power_w", "sensor", "start_j", "range_j", "resolution_uj", "update_ms",
                       "plausible_w", "faults"});
  } else {
    place.expect_keys({"power_w", "sensor", "window_ms", "update_ms", "plausible_w", "faults"});
  }
}

void expect_gpu_keys(const Place& place, Quantity quantity) {
  if (quantity == Quantity::energy) {
    place.expect_keys({"name", "copies", "memory", "utilization_percent", "power_w", "sensor",
                       "start_j", "range_j", "resolution_uj", "update_ms", "plausible_w",
                       "faults"});
  } else {
    place.expect_keys({"name", "copies", "memory", "utilization_percent", "power_w", "sensor",
                       "window_ms", "update_ms", "plausible_w", "faults"});
  }
}

/// What a reader may take for a fault: by default well above what the script ever uses.
Power read_plausible(const Place& place, const Profile& power) {
  if (const auto plausible = place.find("plausible_w")) {
    return Power::from_watts(plausible->number(1, 2 * kWatts.most, "watts"));
  }
  return std::max(SensorInfo{}.plausible_power, Power::from_uw(2 * power.peak()));
}

DomainScript read_script(const Place& place, Domain domain, Quantity quantity) {
  DomainScript script;
  script.domain = std::move(domain);
  script.place = place.path();
  script.quantity = quantity;
  if (const auto power = place.require("power_w", "a power in watts, constant or a profile")) {
    script.power = read_profile(*power, kWatts);
  }
  script.plausible_power = read_plausible(place, script.power);
  if (const auto update = place.find("update_ms")) script.update_period = read_lag(*update);
  if (quantity == Quantity::energy) {
    read_counter(place, script);
  } else {
    read_gauge(place, script);
  }
  if (const auto faults = place.find("faults")) script.faults = read_faults(*faults, quantity);
  return script;
}

}  // namespace

DomainScript read_domain(const Place& place, Domain domain) {
  const Quantity quantity = read_quantity(place);
  expect_domain_keys(place, quantity);
  return read_script(place, std::move(domain), quantity);
}

Gpu read_gpu(const Place& place) {
  const Quantity quantity = read_quantity(place);
  expect_gpu_keys(place, quantity);
  const auto name = place.find("name");
  Gpu gpu;
  gpu.energy = read_script(place, {DomainKind::gpu, 0, 0, name ? name->text() : ""}, quantity);
  if (const auto load = place.find("utilization_percent")) {
    gpu.utilization = read_profile(*load, kPercent);
  }
  if (const auto memory = place.find("memory")) gpu.memory = read_memory(*memory);
  return gpu;
}

MemoryScript read_memory(const Place& place) {
  place.expect_keys({"total_gib", "used_gib"});
  MemoryScript memory;
  double total_gib = 0;
  if (const auto total = place.require("total_gib", "a number of GiB")) {
    total_gib = total->number(kLeastJoules, kMostGib, "GiB");
    memory.total = std::llround(total_gib * kBytesPerGigabyte);
  }
  if (const auto used = place.find("used_gib")) {
    memory.used = read_profile(*used, Unit{"gib", "GiB", kBytesPerGigabyte, total_gib});
  }
  return memory;
}

}  // namespace codecarbon::simulated
