#pragma once

#include <span>
#include <string>

#include "host/host.hpp"
#include "readings/probe.hpp"
#include "sensors/rapl/zones.hpp"

namespace codecarbon::rapl {

/// Why a machine shows no counters at all, as far as it can be told from outside, and what to do.
Finding explain_absence(const Host& host);

/// Counters that are there but may not be read: how to allow it to whom it should be allowed.
/// `zones` is not empty.
Finding explain_denial(const Host& host, std::span<const Zone> zones);

}  // namespace codecarbon::rapl
