#pragma once

#include <span>
#include <string_view>

#include "codecarbon/error.hpp"
#include "host/host.hpp"
#include "readings/probe.hpp"

namespace codecarbon {

/// A folder under src/sensors behind one function.
struct BackEnd {
  std::string_view name;
  std::string_view summary;  ///< one line for a person
  /// Fails when the settings name something that is not acceptable.
  Result<Discovery> (*discover)(const Host&, const SensorSettings&);
  enum class Kind {
    plain,
    driver,     ///< asks drivers of devices, any of which may hang
    processes,  ///< looks at processes: they are real even where the machine is played
  };
  Kind kind = Kind::plain;
};

/// The one table of back-ends, in order of preference: where two see the same domain, the first
/// one's sensor is used. One that may play a machine comes before those that look at the real one.
std::span<const BackEnd> all_back_ends();

}  // namespace codecarbon
