#pragma once

#include <string>
#include <vector>

#include "host/host.hpp"
#include "readings/probe.hpp"
#include "sensors/files/number_file.hpp"

namespace codecarbon {

/// A file whose number is a sensor as it stands.
struct FileSensor {
  SensorInfo info;  ///< all but `source`
  std::string path;
  NumberFormat format = parse_integer;
  bool may_hang = false;  ///< reading it asks a device behind the kernel
};

/// How to allow reading to whom it should be allowed, for a finding.
struct Denial {
  std::string reason;
  std::string remedy;
};

/// Adds one probe for each file that can be read, and a finding for each file. One that cannot be
/// read is a sensor all the same where another one of its kind can: then its energy would be
/// missing from a sum that looks whole, and the time until it can be read is a gap.
void add_file_sensors(const Host& host, std::vector<FileSensor> files, const Denial& denial,
                      Discovery& discovery);

}  // namespace codecarbon
