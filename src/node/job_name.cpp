#include "node/job_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/fnv1a.hpp"

namespace codecarbon {
namespace {

constexpr std::size_t kLongestName = 200;

std::string compose(const std::string& around, std::string_view difference) {
  return job_name(fmt::format("{}-{:016x}", around.empty() ? "job" : around, fnv1a(difference)));
}

}  // namespace

std::string job_name(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20U || c == 0x7fU; }, '_');
  if (text.size() > kLongestName) text = fmt::format("{:016x}", fnv1a(text));
  return text;
}

std::string JobNamer::name(std::span<const Ranks> found) const {
  const Ranks& inner = found.front();
  const auto outer = found.subspan(1);
  if (auto job = inner.launcher->job(environment_); !job.empty()) return job_name(std::move(job));
  if (inner.launcher->starter_is_rank) {
    if (auto run = ancestry_.tracked_run()) return job_name(*std::move(run));
  }
  if (inner.launcher->unsigned_variables) {
    const auto same = std::find_if(outer.begin(), outer.end(),
                                   [&](const Ranks& ranks) { return ranks.are_those_of(inner); });
    if (same != outer.end()) return name({same, outer.end()});
  }
  return make(inner, name_around(outer));
}

std::string JobNamer::name_given_ranks() const {
  return compose(batch_job(environment_), ancestry_.launcher("CODECARBON_RANK"));
}

std::string JobNamer::name_around(std::span<const Ranks> outer) const {
  for (const Ranks& ranks : outer) {
    if (auto job = ranks.launcher->job(environment_); !job.empty()) return job;
  }
  return batch_job(environment_);
}

/// The process that started the ranks tells jobs apart for ever, but only those of one node, and
/// only where it is known to have set the variables; the address where ranks meet is the same on
/// all nodes, but later jobs may have it again.
std::string JobNamer::make(const Ranks& ranks, const std::string& around) const {
  const Launcher& launcher = *ranks.launcher;
  std::string difference;
  for (const auto name : launcher.meeting_place) {
    if (!name.empty()) difference += environment_.get(name).value_or("");
    difference += '\n';
  }
  const bool meets = difference.find_first_not_of('\n') != std::string::npos;
  const bool process_tells = launcher.names_ranks_at_start && (ranks.are_all_here() || !meets);
  if (process_tells || (!meets && around.empty())) {
    difference += ancestry_.launcher(name_set(environment_, launcher.rank));
  }
  return compose(around, difference);
}

}  // namespace codecarbon
