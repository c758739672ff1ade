#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codecarbon/units.hpp"
#include "host/machine_facts.hpp"
#include "sensors/modelled/power_model.hpp"

namespace codecarbon::modelled {

/// The rated power (TDP) of one processor that calls itself `model` ("12th Gen Intel(R) Core(TM)
/// i7-1270P"), from a table with lines "name,watts". Trade marks, clock rates, core counts and
/// generation words do not count; every other word must be the same, so a name that is not in the
/// table finds nothing rather than its neighbour. Takes well under a millisecond.
std::optional<Power> find_rated_power(std::string_view model, std::string_view table);

/// The power of the processors of a machine against their load, and where it comes from.
struct RatedPower {
  PowerCurve curve;
  double bound = 0;    ///< relative bound of the load model on top of it
  std::string source;  ///< for a person; says what was assumed, and when it is a generic value
};

/// Of a physical machine all sockets count. A virtual machine counts by its logical processors,
/// each as one hardware thread of the processor it names, however its sockets are laid out: these
/// are the hypervisor's fiction. Where the name is not in the table, or says nothing, the rating is
/// a generic one for each thread.
RatedPower rate(const CpuIdentity& cpu, std::string_view table);

/// The same for a rating of all processors together that the user gave.
RatedPower rate_as_forced(Power rated, const CpuIdentity& cpu);

}  // namespace codecarbon::modelled
