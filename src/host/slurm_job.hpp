#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "host/environment.hpp"

/// What Slurm says of a job, as text. Pure. Formats as its manual pages sbatch(1), "output
/// environment variables", and scontrol(1) have them (Slurm 15.08 to 24.05).

namespace codecarbon {

/// The part of one node that a job or job step was given; what is not said is missing.
struct SlurmShare {
  std::optional<std::int64_t> processors;    ///< logical; more than 0
  std::optional<std::int64_t> memory_bytes;  ///< more than 0

  bool operator==(const SlurmShare&) const = default;
};

/// The number of the job that a process with these variables belongs to: digits only.
std::optional<std::string_view> slurm_job_id(const Environment& environment);

/// By the variables that Slurm gives to a job. They say nothing of memory where the job asked for
/// none, or for a whole node's.
SlurmShare share_by_variables(const Environment& environment);

/// By the output of `scontrol show job`, which may hold several records: that of `job_id` counts,
/// or the only one. What is said of all nodes together is shared evenly among them.
SlurmShare share_by_scontrol(std::string_view output, std::string_view job_id);

/// The number for the node with index `node` in a list such as "4(x2),3"; without an index only
/// where all nodes have the same. Missing when the list is none, or is too short.
std::optional<std::int64_t> value_on_node(std::string_view list, std::optional<std::int64_t> node);

/// Bytes by "62.50G", "4000M", "1T", "500" (megabytes). Missing for 0, which means no limit, and
/// for what is no such size. Units are powers of 1024.
std::optional<std::int64_t> parse_slurm_memory(std::string_view text);

}  // namespace codecarbon
