#include "sensors/craypm/craypm.hpp"

#include <utility>

#include "sensors/craypm/counter_text.hpp"
#include "sensors/files/file_sensors.hpp"

namespace codecarbon::craypm {
namespace {

constexpr std::string_view kFolder = "sys/cray/pm_counters";

Power most_of(DomainKind kind) {
  const std::int64_t watts = kind == DomainKind::node ? 20'000 : 4'000;
  return Power::from_uw(watts * 1'000'000);
}

FileSensor counter(std::string_view name, Domain domain) {
  FileSensor sensor;
  sensor.info.plausible_power = most_of(domain.kind);
  sensor.info.domain = std::move(domain);
  sensor.info.resolution = Energy::from_uj(1'000'000);
  sensor.info.update_period = std::chrono::milliseconds(100);
  sensor.path = std::string(kFolder) + "/" + std::string(name);
  sensor.format = parse_joules;
  return sensor;
}

Finding nothing(const Host& host, Finding::Outcome outcome, std::string reason) {
  return {outcome, host.resolve(kFolder).string(), std::move(reason), {}};
}

}  // namespace

Discovery discover(const Host& host, const SensorSettings&) {
  Discovery discovery;
  if (!host.exists(kFolder)) {
    discovery.findings.push_back(
        nothing(host, Finding::Outcome::absent, "this is no HPE Cray node"));
    return discovery;
  }
  std::vector<FileSensor> files;
  for (const std::string& name : host.list(kFolder)) {
    if (auto domain = parse_counter_name(name)) files.push_back(counter(name, std::move(*domain)));
  }
  if (files.empty()) {
    discovery.findings.push_back(
        nothing(host, Finding::Outcome::unsupported, "it holds no energy counter"));
  }
  const Denial denial{"the system's administrators keep these counters from users",
                      "ask them to let users read /sys/cray/pm_counters"};
  add_file_sensors(host, std::move(files), denial, discovery);
  return discovery;
}

}  // namespace codecarbon::craypm
