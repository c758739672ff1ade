#pragma once

#include "codecarbon/report.hpp"
#include "host/host.hpp"
#include "tracker/equipment.hpp"

namespace codecarbon {

/// The machine's own description for the row: operating system, processors, memory (of a container
/// or job: what it may use), and the GPUs that are in use. What cannot be found out stays empty.
SystemReport describe_system(const Host& host, const Equipment& equipment);

}  // namespace codecarbon
