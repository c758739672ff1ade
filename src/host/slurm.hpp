#pragma once

#include <optional>
#include <string>

#include "host/host.hpp"
#include "host/slurm_job.hpp"

namespace codecarbon {

/// Asks Slurm about the job that this process belongs to, by running `scontrol show job`. Nothing
/// outside a job, and where scontrol is missing, hangs (it is given a second), fails or writes
/// nonsense. A program of this machine is run for the machine's own root "/" only, found on the
/// PATH; for any other root it is usr/bin/scontrol below that root. Takes some 10 ms.
SlurmShare ask_slurm(const Host& host);

}  // namespace codecarbon
