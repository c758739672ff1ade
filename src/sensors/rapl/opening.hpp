#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/host.hpp"
#include "readings/probe.hpp"
#include "sensors/files/number_file.hpp"
#include "sensors/rapl/zones.hpp"

namespace codecarbon::rapl {

/// One zone whose counter is a sensor, and the value after which it wraps. A range that is missing,
/// not a number, zero, or below the counter itself is no range.
struct OpenZone {
  Zone zone;
  NumberFile file;
  std::optional<std::int64_t> range_uj;
  bool awaited = false;  ///< there was no good reading yet
};

/// Sorts zones into those that are sensors and the reasons for the others. A zone that cannot be
/// read now is a sensor all the same where its energy would otherwise be missing from a sum that
/// looks whole: the time until it can be read is a gap.
class Opening {
 public:
  explicit Opening(std::shared_ptr<const Host> host) : host_(std::move(host)) {}

  void open(Zone zone);
  /// The zones that are sensors, in the order in which they were opened.
  std::vector<OpenZone> take();
  /// Appends why some cannot be read, sensors or not.
  void report(std::vector<Finding>& findings) const;

 private:
  void refuse(const Zone& zone, std::string reason);
  void await(Zone zone, std::optional<NumberFile> file);
  bool is_missed(const Zone& zone) const;
  void keep(Zone zone, NumberFile file, std::int64_t value);

  std::shared_ptr<const Host> host_;
  std::vector<OpenZone> open_;
  std::vector<Zone> denied_;
  std::vector<Finding> unusable_;
};

}  // namespace codecarbon::rapl
