#include "tracker/job.hpp"

#include <fmt/format.h>

#include <memory>

#include "config/name_pattern.hpp"
#include "node/ancestry.hpp"

namespace codecarbon {

FoundPlace find_job(const Options& options, const Environment& environment) {
  const GivenPlace given{options.job_id, options.rank, options.local_rank, options.world_size};
  // The processes above this one are real, whatever machine is looked at.
  const Host here("/", environment, std::make_shared<const SystemClock>());
  return find_place(given, environment, ProcessAncestry(here));
}

JobReport describe_job(const RankPlace& place) {
  return {place.job, place.rank, place.local_rank, place.world_size, place.found_by};
}

std::string job_text(const JobReport& job) {
  std::string text;
  if (job.rank) text = fmt::format("rank {}", *job.rank);
  if (job.rank && job.world_size) text += fmt::format(" of {}", *job.world_size);
  if (job.local_rank) text += fmt::format(", local rank {}", *job.local_rank);
  return fmt::format("{}job {} ({})", text.empty() ? "" : text + ", in ", job.id, job.found_by);
}

bool speaks_for_node(const std::optional<RankPlace>& place) {
  if (!place) return true;
  return place->local_rank.value_or(place->rank.value_or(0)) == 0;
}

std::string expand_output_file(const Options& options, const std::optional<JobReport>& job,
                               const std::string& host) {
  NameValues values;
  values.host = host;
  if (job) {
    values.rank = job->rank.value_or(values.rank);
    values.local_rank = job->local_rank.value_or(values.local_rank);
    values.world_size = job->world_size.value_or(values.world_size);
    values.job = job->id;
  }
  return expand_file(*options.output_file, values);
}

}  // namespace codecarbon
