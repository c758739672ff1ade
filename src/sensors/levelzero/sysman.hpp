#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/host.hpp"
#include "host/library.hpp"
#include "sensors/levelzero/abi.hpp"

namespace codecarbon::levelzero {

/// The energy counter of one card. Its calls take as long as the driver likes.
struct Meter {
  std::string bus_id;
  Library library;  ///< kept loaded
  abi::Handle power = nullptr;
  abi::GetEnergy* get_energy = nullptr;

  /// Microjoules; missing when the call fails.
  std::optional<std::uint64_t> energy_uj() const;
};

/// Starts the library and finds the counter of every card. Fails with missing_file where there is
/// no library, and with io where it is too old or refuses to start.
Result<std::vector<Meter>> open_meters(const Host& host);

}  // namespace codecarbon::levelzero
