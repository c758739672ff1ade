#include "tracker/diagnosis.hpp"

#include <utility>

#include "config/resolve.hpp"
#include "tracker/equipment.hpp"
#include "tracker/setup.hpp"
#include "tracker/system_facts.hpp"

namespace codecarbon {

Result<Diagnosis> diagnose(const Options& keywords) {
  const auto options =
      resolve_options(keywords, Environment::of_process(), std::filesystem::path("."), Logger());
  if (!options) return tl::unexpected(options.error());
  const auto located = locate_for(*options);
  if (!located) return tl::unexpected(located.error());
  const Host host = make_host(*options, std::make_shared<const SystemClock>());
  auto equipment = find_equipment(host, *options);
  if (!equipment) return tl::unexpected(std::move(equipment.error()));

  Diagnosis diagnosis;
  diagnosis.sensors = describe_sensors(*equipment);
  diagnosis.system = describe_system(host, *equipment);
  diagnosis.back_ends = std::move(equipment->back_ends);
  diagnosis.place = located->place;
  diagnosis.intensity = located->intensity;
  return diagnosis;
}

}  // namespace codecarbon
