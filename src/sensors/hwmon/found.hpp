#pragma once

#include <string>
#include <utility>
#include <vector>

#include "readings/probe.hpp"
#include "sensors/files/file_sensors.hpp"
#include "sensors/hwmon/chip.hpp"

namespace codecarbon::hwmon {

/// What was found on the chips of one machine so far.
struct Found {
  std::vector<FileSensor> files;
  Discovery others;  ///< probes that read more than one file, and findings

  /// `subject` is there but of no use.
  void pass_over(const Host& host, std::string subject, const Chip& chip, std::string reason) {
    others.findings.push_back({Finding::Outcome::unsupported,
                               std::move(subject) + " (" + host.resolve(chip.folder).string() + ")",
                               std::move(reason),
                               {}});
  }
};

}  // namespace codecarbon::hwmon
