#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codecarbon/units.hpp"
#include "host/machine_facts.hpp"

namespace codecarbon::modelled {

/// The rated power (TDP) of one processor that calls itself `model` ("12th Gen Intel(R) Core(TM)
/// i7-1270P"), from a table with lines "name,watts". Trade marks, clock rates, core counts and
/// generation words do not count; every other word must be the same, so a name that is not in the
/// table finds nothing rather than its neighbour. Takes well under a millisecond.
std::optional<Power> find_rated_power(std::string_view model, std::string_view table);

/// The rated power of all processors of a machine and where it comes from.
struct RatedPower {
  Power power;
  double bound = 0;    ///< relative bound of the load model on top of it
  std::string source;  ///< for a person; says so when it is a generic value
};

RatedPower rate(const CpuIdentity& cpu, std::string_view table);

/// The same for a rating that the user gave.
RatedPower rate_as_forced(Power rated);

}  // namespace codecarbon::modelled
