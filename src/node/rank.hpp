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

/// Finds the place of the process that has this `environment`. In this order, the first that gives
/// ranks decides; launchers may be nested, and the innermost is asked first:
///
/// | launcher     | needs                          | rank, size                    | job is named
/// by         |
/// |--------------|--------------------------------|-------------------------------|-------------------------|
/// | Horovod      |                                | HOROVOD_RANK, _SIZE           | rendezvous
/// address      | | torchrun     | TORCHELASTIC_RUN_ID            | RANK, WORLD_SIZE              |
/// that id unless "none"   | | DeepSpeed    | CROSS_RANK, LOCAL_SIZE         | RANK, WORLD_SIZE |
/// MASTER_ADDR, _PORT      | | Ray Train    | RAY_JOB_ID                     | RANK, WORLD_SIZE |
/// MASTER_ADDR, _PORT, job | | by variables | WORLD_SIZE                     | RANK, WORLD_SIZE |
/// MASTER_ADDR, _PORT      | | Open MPI     |                                |
/// OMPI_COMM_WORLD_RANK, _SIZE   | PMIX_NAMESPACE          | | Intel MPI    | I_MPI_HYDRA_UUID |
/// PMI_RANK, PMI_SIZE            | that id                 | | MPICH        | | PMI_RANK, PMI_SIZE
/// | PMI_JOBID               | | MVAPICH      |                                |
/// MV2_COMM_WORLD_RANK, _SIZE    |                         | | Flux         | | FLUX_TASK_RANK,
/// FLUX_JOB_SIZE | FLUX_JOB_ID             | | Slurm srun   | a numbered SLURM_STEP_ID       |
/// SLURM_PROCID, SLURM_NTASKS    | job and step            | | parent       | an ancestor that
/// tracks        |                               | the ancestor's run_id   |
///
/// Variables RANK and WORLD_SIZE that nobody signed and that repeat what a launcher of MPI or Slurm
/// says are that launcher's ranks. A name that is missing is made from what the ranks of a node
/// have in common and other jobs do not: the address where they meet, the batch job around them,
/// the process that started them. Numbers that cannot be true are ignored with a remark. Pure but
/// for `ancestry`, which is asked only when a name is missing.
FoundPlace find_place(const GivenPlace& given, const Environment& environment,
                      const Ancestry& ancestry);

}  // namespace codecarbon
