#include "node/launchers.hpp"

#include <fmt/format.h>

#include "base/fnv1a.hpp"
#include "host/host.hpp"
#include "host/slurm_job.hpp"

namespace codecarbon {
namespace {

using E = const Environment&;

std::string_view get(E environment, std::string_view name) {
  return environment.get(name).value_or("");
}

bool always(E) {
  return true;
}

template <const auto& name>
bool has(E environment) {
  return !get(environment, name).empty();
}

std::string no_name(E) {
  return {};
}

template <const auto& name>
std::string named(E environment) {
  return std::string(get(environment, name));
}

constexpr char kTorchRun[] = "TORCHELASTIC_RUN_ID";
constexpr char kRayJob[] = "RAY_JOB_ID";
constexpr char kIntelRun[] = "I_MPI_HYDRA_UUID";
constexpr char kFluxJob[] = "FLUX_JOB_ID";

/// torchrun calls every job "none" that was given no --rdzv-id.
std::string torch_job(E environment) {
  const auto id = get(environment, kTorchRun);
  return id == "none" ? std::string() : std::string(id);
}

bool started_by_deepspeed(E environment) {
  return !get(environment, "CROSS_RANK").empty() && !get(environment, "LOCAL_SIZE").empty();
}

/// Lightning starts the ranks of a node from the first of them, with no RANK.
bool started_by_lightning(E environment) {
  return get(environment, "RANK").empty() && !get(environment, "NODE_RANK").empty() &&
         !get(environment, "WORLD_SIZE").empty();
}

bool has_torch_variables(E environment) {
  return !get(environment, "WORLD_SIZE").empty() && !started_by_lightning(environment);
}

/// Open MPI 4 numbers its jobs by a hash of 16 bits: the address of mpirun tells two of one number
/// apart.
std::string open_mpi_job(E environment) {
  const auto number = value_of(environment, {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"});
  if (number.empty()) return {};
  const auto mpirun = get(environment, "OMPI_MCA_orte_hnp_uri");
  if (mpirun.empty()) return std::string(number);
  return fmt::format("{}-{:08x}", number, fnv1a(mpirun) >> 32U);
}

std::string pmi_job(E environment) {
  return std::string(value_of(environment, {"PMI_JOBID", "PALS_APID"}));
}

/// Steps from here on are no job steps but Slurm's own: the batch script, an interactive shell,
/// what stands outside (SLURM_MAX_NORMAL_STEP_ID in slurm.h).
constexpr std::int64_t kFirstOddStep = 0xfffffff0;

std::string slurm_step(E environment) {
  const auto job = slurm_job_id(environment);
  const auto step = parse_integer(value_of(environment, {"SLURM_STEP_ID", "SLURM_STEPID"}));
  if (!job || !step || *step < 0 || *step >= kFirstOddStep) return {};
  return fmt::format("{}.{}", *job, *step);
}

bool in_slurm_step(E environment) {
  return !slurm_step(environment).empty();
}

constexpr Names kMeeting{"MASTER_ADDR", "MASTER_PORT"};

// Sources: PyTorch 1.13, Open MPI 4.1.4, MPICH 4.0.2 and Slurm 22.05 as run, see tests/launchers;
// DeepSpeed launcher/launch.py, Lightning's subprocess launcher, Ray train/torch/config.py and
// Horovod runner/gloo_run.py as published in 2024; the others as programs that read their variables
// know them.
constexpr auto kLaunchers = std::to_array<Launcher>({
    {.name = "Horovod",
     .applies = always,
     .rank = {"HOROVOD_RANK"},
     .local_rank = {"HOROVOD_LOCAL_RANK"},
     .world_size = {"HOROVOD_SIZE"},
     .local_world_size = {"HOROVOD_LOCAL_SIZE"},
     .ranks_per_node = {},
     .job = no_name,
     .meeting_place = {"HOROVOD_GLOO_RENDEZVOUS_ADDR", "HOROVOD_GLOO_RENDEZVOUS_PORT"}},
    {.name = "torchrun",
     .applies = has<kTorchRun>,
     .rank = {"RANK"},
     .local_rank = {"LOCAL_RANK"},
     .world_size = {"WORLD_SIZE"},
     .local_world_size = {"LOCAL_WORLD_SIZE"},
     .ranks_per_node = {},
     .job = torch_job,
     .meeting_place = kMeeting,
     .names_ranks_at_start = true},
    {.name = "DeepSpeed",
     .applies = started_by_deepspeed,
     .rank = {"RANK"},
     .local_rank = {"LOCAL_RANK"},
     .world_size = {"WORLD_SIZE"},
     .local_world_size = {"LOCAL_SIZE"},
     .ranks_per_node = {},
     .job = no_name,
     .meeting_place = kMeeting,
     .names_ranks_at_start = true},
    {.name = "Ray Train",
     .applies = has<kRayJob>,
     .rank = {"RANK"},
     .local_rank = {"LOCAL_RANK"},
     .world_size = {"WORLD_SIZE"},
     .local_world_size = {"LOCAL_WORLD_SIZE"},
     .ranks_per_node = {},
     .job = no_name,
     .meeting_place = {"MASTER_ADDR", "MASTER_PORT", "RAY_JOB_ID"}},
    {.name = "Lightning",
     .applies = started_by_lightning,
     .rank = {},
     .local_rank = {"LOCAL_RANK"},
     .world_size = {"WORLD_SIZE"},
     .local_world_size = {},
     .ranks_per_node = {},
     .job = no_name,
     .meeting_place = kMeeting,
     .starter_is_rank = true},
    {.name = "variables RANK and WORLD_SIZE",
     .applies = has_torch_variables,
     .rank = {"RANK"},
     .local_rank = {"LOCAL_RANK"},
     .world_size = {"WORLD_SIZE"},
     .local_world_size = {"LOCAL_WORLD_SIZE"},
     .ranks_per_node = {},
     .job = no_name,
     .meeting_place = kMeeting,
     .unsigned_variables = true},
    {.name = "Open MPI",
     .applies = always,
     .rank = {"OMPI_COMM_WORLD_RANK"},
     .local_rank = {"OMPI_COMM_WORLD_LOCAL_RANK"},
     .world_size = {"OMPI_COMM_WORLD_SIZE"},
     .local_world_size = {"OMPI_COMM_WORLD_LOCAL_SIZE"},
     .ranks_per_node = {},
     .job = open_mpi_job,
     .names_ranks_at_start = true},
    {.name = "Intel MPI",
     .applies = has<kIntelRun>,
     .rank = {"PMI_RANK"},
     .local_rank = {"MPI_LOCALRANKID"},
     .world_size = {"PMI_SIZE"},
     .local_world_size = {"MPI_LOCALNRANKS"},
     .ranks_per_node = {},
     .job = named<kIntelRun>,
     .names_ranks_at_start = true},
    {.name = "MPICH",
     .applies = always,
     .rank = {"PMI_RANK"},
     .local_rank = {"MPI_LOCALRANKID", "PMI_LOCAL_RANK", "PALS_LOCAL_RANKID"},
     .world_size = {"PMI_SIZE"},
     .local_world_size = {"MPI_LOCALNRANKS", "PMI_LOCAL_SIZE", "PALS_LOCAL_SIZE"},
     .ranks_per_node = {},
     .job = pmi_job,
     .names_ranks_at_start = true},
    {.name = "MVAPICH",
     .applies = always,
     .rank = {"MV2_COMM_WORLD_RANK"},
     .local_rank = {"MV2_COMM_WORLD_LOCAL_RANK"},
     .world_size = {"MV2_COMM_WORLD_SIZE"},
     .local_world_size = {"MV2_COMM_WORLD_LOCAL_SIZE"},
     .ranks_per_node = {},
     .job = no_name,
     .names_ranks_at_start = true},
    {.name = "Flux",
     .applies = has<kFluxJob>,
     .rank = {"FLUX_TASK_RANK"},
     .local_rank = {"FLUX_TASK_LOCAL_ID"},
     .world_size = {"FLUX_JOB_SIZE"},
     .local_world_size = {},
     .ranks_per_node = {},
     .job = named<kFluxJob>,
     .names_ranks_at_start = true},
    {.name = "Slurm srun",
     .applies = in_slurm_step,
     .rank = {"SLURM_PROCID"},
     .local_rank = {"SLURM_LOCALID"},
     .world_size = {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS"},
     .local_world_size = {},
     .ranks_per_node = "SLURM_STEP_TASKS_PER_NODE",
     .job = slurm_step,
     .names_ranks_at_start = true},
});

}  // namespace

std::span<const Launcher> launchers() {
  return kLaunchers;
}

std::string batch_job(const Environment& environment) {
  if (auto step = slurm_step(environment); !step.empty()) return step;
  if (const auto job = slurm_job_id(environment)) return std::string(*job);
  return std::string(value_of(environment, {"PBS_JOBID", "LSB_JOBID"}));
}

std::string_view name_set(const Environment& environment, const Names& names) {
  for (const std::string_view name : names) {
    if (!name.empty() && !get(environment, name).empty()) return name;
  }
  return {};
}

std::string_view value_of(const Environment& environment, const Names& names) {
  return get(environment, name_set(environment, names));
}

}  // namespace codecarbon
