#include "sensors/hwmon/hwmon.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "sensors/hwmon/amd_energy.hpp"
#include "sensors/hwmon/power_meter.hpp"
#include "sensors/hwmon/rail.hpp"

namespace codecarbon::hwmon {
namespace {

// GPUs, which have back-ends of their own.
constexpr std::array<std::string_view, 4> kGpus = {"amdgpu", "i915", "xe", "nouveau"};

bool shows_energy(const Host& host, const Chip& chip) {
  const auto has = [&](std::string_view prefix, std::string_view suffix) {
    return !channels(host, chip, prefix, suffix).empty();
  };
  return has("energy", "_input") || has("power", "_input") || has("power", "_average");
}

void add_unknown(const Host& host, const Chip& chip, Found& found) {
  if (std::find(kGpus.begin(), kGpus.end(), chip.name) != kGpus.end()) return;
  if (!shows_energy(host, chip)) return;
  found.pass_over(host, in_quotes(chip.name), chip,
                  "it is not known which part of a machine this kind of chip measures");
}

Found look_at_chips(const Host& host) {
  Found found;
  std::vector<Chip> meters;
  for (const Chip& chip : find_chips(host)) {
    if (chip.name == "power_meter") {
      meters.push_back(chip);
    } else if (chip.name == "amd_energy") {
      add_amd_energy(host, chip, found);
    } else if (chip.name == "ina3221" || chip.name == "ina3221x") {
      add_rails(host, chip, found);
    } else {
      add_unknown(host, chip, found);
    }
  }
  add_power_meters(host, meters, found);
  return found;
}

}  // namespace

Discovery discover(const Host& host, const SensorSettings&) {
  Found found = look_at_chips(host);
  Discovery discovery = std::move(found.others);
  const Denial denial{
      "only root may read it: fine readings of energy can leak secrets (CVE-2020-8694)",
      "if you trust the members of a group with that, let only them read it: groupadd energy; "
      "usermod -aG energy USER; and in /etc/udev/rules.d/70-hwmon-energy.rules: "
      "SUBSYSTEM==\"hwmon\", ACTION==\"add\", RUN+=\"/bin/sh -c 'cd /sys%p && chgrp -f energy "
      "energy*_input power*_average; chmod -f g+r energy*_input power*_average'\"; then udevadm "
      "trigger -c add -s hwmon, and log in anew"};
  add_file_sensors(host, std::move(found.files), denial, discovery);
  if (discovery.findings.empty()) {
    discovery.findings.push_back({Finding::Outcome::absent,
                                  host.resolve("sys/class/hwmon").string(),
                                  "no chip here measures power or energy",
                                  {}});
  }
  return discovery;
}

}  // namespace codecarbon::hwmon
