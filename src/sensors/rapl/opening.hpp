#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/host.hpp"
#include "readings/probe.hpp"
#include "sensors/rapl/energy_file.hpp"
#include "sensors/rapl/zones.hpp"

namespace codecarbon::rapl {

/// One zone whose counter can be read, and the value after which it wraps. A range that is missing,
/// not a number, zero, or below the counter itself is no range.
struct OpenZone {
  Zone zone;
  EnergyFile file;
  std::optional<std::int64_t> range_uj;
};

/// Sorts zones into those that can be read and the reasons for the others.
class Opening {
 public:
  explicit Opening(std::shared_ptr<const Host> host) : host_(std::move(host)) {}

  void open(Zone zone);
  /// The zones that can be read, in the order in which they were opened.
  std::vector<OpenZone> take() { return std::move(open_); }
  /// Appends why the others cannot.
  void report(std::vector<Finding>& findings) const;

 private:
  void refuse(Zone zone, std::string reason);
  void keep(Zone zone, EnergyFile file, std::int64_t value);

  std::shared_ptr<const Host> host_;
  std::vector<OpenZone> open_;
  std::vector<Zone> denied_;
  std::vector<Finding> unusable_;
};

}  // namespace codecarbon::rapl
