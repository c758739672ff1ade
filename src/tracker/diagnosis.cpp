#include "tracker/diagnosis.hpp"

#include <utility>

#include "config/resolve.hpp"
#include "tracker/equipment.hpp"
#include "tracker/setup.hpp"
#include "tracker/system_facts.hpp"

namespace codecarbon {

namespace {

constexpr Duration kLook = std::chrono::milliseconds(1);

/// Reads whatever gives energy every millisecond, as quickly as the sources allow.
void watch_sensors(const Equipment& equipment, const Clock& clock, Duration length,
                   std::vector<SensorDiagnosis>& sensors) {
  std::vector<Observation> observations(sensors.size());
  Alarm never;
  const MonoTime end = clock.now() + length;
  for (MonoTime now = clock.now(); now < end; now = clock.now()) {
    std::size_t sensor = 0;
    for (const auto& probe : equipment.probes) {
      std::vector<Reading> readings(probe->sensors().size());
      probe->read(now, readings);
      for (const Reading& reading : readings) observations[sensor++].note(now, reading);
    }
    clock.wait_until(now + kLook, never);
  }
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    // A model is as fine as whoever asks it.
    if (sensors[i].method == Method::measured) sensors[i].observed = observations[i].pace();
  }
}

}  // namespace

Result<Diagnosis> diagnose(const Options& keywords, std::string_view options_origin,
                           Duration watch) {
  const auto resolved = resolve_options(keywords, Environment::of_process(),
                                        std::filesystem::path("."), options_origin);
  if (!resolved) return tl::unexpected(resolved.error());
  const auto located = locate_for(resolved->options);
  if (!located) return tl::unexpected(resolved->with_origin(located.error()));
  const Host host = make_host(resolved->options, std::make_shared<const SystemClock>());
  auto equipment = find_equipment(host, resolved->options);
  if (!equipment) return tl::unexpected(resolved->with_origin(equipment.error()));

  Diagnosis diagnosis;
  diagnosis.sensors = describe_sensors(*equipment);
  if (watch > Duration{}) watch_sensors(*equipment, host.clock(), watch, diagnosis.sensors);
  diagnosis.system = describe_system(host, *equipment);
  diagnosis.back_ends = std::move(equipment->back_ends);
  diagnosis.place = located->place;
  diagnosis.intensity = located->intensity;
  return diagnosis;
}

}  // namespace codecarbon
