#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/environment.hpp"
#include "node/ancestry.hpp"

namespace codecarbon {

/// Where a process stands in a job: all ranks of one workload, on however many nodes.
struct RankPlace {
  /// Never empty, one line. The same for all ranks of the job on one node, and for no other job
  /// that runs there at the time. See docs/jobs.md for when it is the same on all nodes.
  std::string job;
  std::optional<int> rank;              ///< from 0, below world_size
  std::optional<int> local_rank;        ///< among the ranks of this node
  std::optional<int> world_size;        ///< ranks of the job; at least 1
  std::optional<int> local_world_size;  ///< ranks of the job on this node; at least 1
  std::string found_by;  ///< for a person: "torchrun", "options", "Slurm srun, options"

  bool operator==(const RankPlace&) const = default;
};

/// What the options say, which goes before what is found.
struct GivenPlace {
  std::optional<std::string> job_id;
  std::optional<int> rank;
  std::optional<int> local_rank;
  std::optional<int> world_size;
};

struct FoundPlace {
  std::optional<RankPlace> place;    ///< missing: this process belongs to no job
  std::vector<std::string> remarks;  ///< what was set and could not be believed, one line each
};

/// Finds the place of the process that has this `environment`: as the options say; else as the
/// innermost of the launchers says that give ranks, in the order of launchers(), which docs/jobs.md
/// has as a table; else in the job of the nearest ancestor that tracks. Variables RANK and
/// WORLD_SIZE that nobody signed and that repeat what a launcher of MPI or Slurm says are that
/// launcher's ranks. Numbers that cannot be true are ignored with a remark. Pure but for
/// `ancestry`, which is asked only where variables do not name the job.
FoundPlace find_place(const GivenPlace& given, const Environment& environment,
                      const Ancestry& ancestry);

}  // namespace codecarbon
