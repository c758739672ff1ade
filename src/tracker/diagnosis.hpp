#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codecarbon/error.hpp"
#include "codecarbon/options.hpp"
#include "codecarbon/report.hpp"
#include "readings/probe.hpp"

namespace codecarbon {

/// What one back-end said when it looked at this machine.
struct BackEndDiagnosis {
  std::string name;
  std::string summary;
  std::vector<Finding> findings;
};

/// One sensor that was found: what it is used for, or why it is passed over.
struct SensorDiagnosis {
  std::string name;  ///< "package-0"
  std::string source;
  Method method = Method::none;
  std::string use;     ///< "cpu", "gpu", "ram", "usage"; empty when passed over
  std::string reason;  ///< why passed over; empty when used
};

struct Diagnosis {
  std::vector<BackEndDiagnosis> back_ends;
  std::vector<SensorDiagnosis> sensors;
  SystemReport system;
  PlaceReport place;
  IntensityReport intensity;
};

/// Looks at the machine as a tracker with these options would; measures nothing, writes nothing.
Result<Diagnosis> diagnose(const Options& options, std::string_view options_origin = "keyword");

}  // namespace codecarbon
