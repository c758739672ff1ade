#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codecarbon/error.hpp"
#include "codecarbon/options.hpp"
#include "codecarbon/report.hpp"
#include "readings/observation.hpp"
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
  std::string name;      ///< "package-0"
  std::string back_end;  ///< the name of the one that found it
  std::string source;
  Method method = Method::none;
  std::string use;     ///< "cpu", "gpu", "ram", "usage"; empty when passed over
  std::string reason;  ///< why passed over; empty when used
  Quantity quantity = Quantity::energy;
  std::optional<Pace> observed{};  ///< missing when it was not watched or hardly moved
};

struct Diagnosis {
  std::vector<BackEndDiagnosis> back_ends;
  std::vector<SensorDiagnosis> sensors;
  SystemReport system;
  PlaceReport place;
  IntensityReport intensity;
  std::optional<JobReport> job;          ///< missing outside a job
  std::vector<std::string> job_remarks;  ///< what was set and could not be believed
};

/// How long sensors are watched, where they are.
inline constexpr Duration kWatch = std::chrono::milliseconds(500);

/// Looks at the machine as a tracker with these options would; measures nothing, writes nothing.
/// With `watch` the sensors of energy are read over and over for that long.
Result<Diagnosis> diagnose(const Options& options, std::string_view options_origin = "keyword",
                           Duration watch = {});

}  // namespace codecarbon
