#include "tracker/diagnosis.hpp"

#include <utility>

#include "config/resolve.hpp"
#include "tracker/equipment.hpp"
#include "tracker/setup.hpp"
#include "tracker/system_facts.hpp"

namespace codecarbon {

Result<Diagnosis> diagnose(const Options& keywords, std::string_view options_origin) {
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
  return diagnosis;
}

}  // namespace codecarbon
