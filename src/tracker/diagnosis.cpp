#include "tracker/diagnosis.hpp"

#include <utility>

#include "config/resolve.hpp"
#include "sampling/patient_reader.hpp"
#include "tracker/equipment.hpp"
#include "tracker/job.hpp"
#include "tracker/setup.hpp"
#include "tracker/system_facts.hpp"

namespace codecarbon {

namespace {

constexpr Duration kLook = std::chrono::milliseconds(1);

/// The sensors of a machine, read without waiting long for a driver that hangs.
class Watch {
 public:
  Watch(std::vector<std::unique_ptr<Probe>> probes, const std::shared_ptr<const Clock>& clock)
      : patient_(clock, {}, {[] {}, [] {}}) {
    for (auto& probe : probes) {
      const bool hangs = probe->may_hang();
      readings_.emplace_back(probe->sensors().size());
      patients_.push_back(hangs ? std::optional(patient_.add(std::move(probe))) : std::nullopt);
      plain_.push_back(std::move(probe));
    }
  }

  void read(MonoTime now, std::vector<Observation>& observations) {
    for (const auto& patient : patients_) {
      if (patient) patient_.ask(*patient, now);
    }
    patient_.begin();
    for (std::size_t i = 0; i < plain_.size(); ++i) {
      if (plain_[i]) plain_[i]->read(now, readings_[i]);
    }
    patient_.collect();
    std::size_t sensor = 0;
    for (std::size_t i = 0; i < plain_.size(); ++i) {
      const auto seen =
          patients_[i] ? patient_.readings(*patients_[i]) : std::span(std::as_const(readings_[i]));
      for (const Reading& reading : seen) observations[sensor++].note(now, reading);
    }
  }

 private:
  PatientReader patient_;
  std::vector<std::optional<std::size_t>> patients_;
  std::vector<std::unique_ptr<Probe>> plain_;  // empty where the patient reader has it
  std::vector<std::vector<Reading>> readings_;
};

/// Reads whatever gives energy every millisecond, as quickly as the sources allow.
void watch_sensors(Watch& watch, const Clock& clock, Duration length,
                   std::vector<SensorDiagnosis>& sensors) {
  std::vector<Observation> observations(sensors.size());
  Alarm never;
  const MonoTime end = clock.now() + length;
  for (MonoTime now = clock.now(); now < end; now = clock.now()) {
    watch.read(now, observations);
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
  diagnosis.system = describe_system(host, *equipment);
  diagnosis.back_ends = std::move(equipment->back_ends);
  diagnosis.place = located->place;
  diagnosis.intensity = located->intensity;
  if (watch > Duration{}) {
    Watch watched(std::move(equipment->probes), host.shared_clock());
    watch_sensors(watched, host.clock(), watch, diagnosis.sensors);
  }
  FoundPlace job = find_job(resolved->options, host.environment());
  if (job.place) diagnosis.job = describe_job(*job.place);
  diagnosis.job_remarks = std::move(job.remarks);
  return diagnosis;
}

}  // namespace codecarbon
