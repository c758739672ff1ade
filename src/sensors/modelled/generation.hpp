#pragma once

#include <optional>

#include "host/machine_facts.hpp"

namespace codecarbon::modelled {

/// What a processor's generation says about its power.
struct Generation {
  double process_nm = 0;  ///< as its maker calls the process; Intel 7 counts as 10, Intel 3 as 3
  bool several_dies = false;  ///< dies that a fabric joins, as in servers and large desktops

  bool operator==(const Generation&) const = default;
};

/// The generation of an x86 processor by vendor, family and model number. Missing for those that
/// are not in the table: newer ones, other makers, other architectures.
std::optional<Generation> find_generation(const CpuIdentity& cpu);

}  // namespace codecarbon::modelled
