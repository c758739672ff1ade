#pragma once

#include <string>

#include "codecarbon/options.hpp"
#include "codecarbon/report.hpp"
#include "host/environment.hpp"
#include "node/rank.hpp"

namespace codecarbon {

/// Where this process stands, by resolved options, `environment` and the processes above.
FoundPlace find_job(const Options& options, const Environment& environment);

JobReport describe_job(const RankPlace& place);

/// "rank 3 of 8, local rank 3, in job 77.0 (Slurm srun)": one line.
std::string job_text(const JobReport& job);

/// Whether this process speaks for those of its job that are on this node: what is the same for all
/// of them need be said once. True outside a job, and where nobody knows.
bool speaks_for_node(const std::optional<RankPlace>& place);

/// The CSV file of a process: `output_file` with what its pattern stands for.
std::string expand_output_file(const Options& options, const std::optional<JobReport>& job,
                               const std::string& host);

}  // namespace codecarbon
