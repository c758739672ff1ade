#include "node/rank.hpp"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "node/job_name.hpp"
#include "node/ranks.hpp"

namespace codecarbon {
namespace {

using Number = std::optional<int>;

/// The innermost launcher's ranks; what it does not say, another may say of the same ranks.
RankPlace place_by(std::span<const Ranks> found) {
  const Ranks& inner = found.front();
  RankPlace place{{},
                  inner.rank,
                  inner.local_rank,
                  inner.world_size,
                  inner.local_world_size,
                  std::string(inner.launcher->name)};
  for (const Ranks& other : found.subspan(1)) {
    if (!other.are_those_of(inner)) continue;
    if (!place.local_rank) place.local_rank = other.local_rank;
    if (!place.local_world_size) place.local_world_size = other.local_world_size;
  }
  return place;
}

void replace(Number& number, const Number& given) {
  if (given) number = given;
}

/// What was found must not contradict what is given.
void drop_contradictions(RankPlace& place, const GivenPlace& given,
                         std::vector<std::string>& remarks) {
  if (!place.rank && given.local_rank) {
    remarks.emplace_back("local_rank says nothing without rank: ignored");
    place.local_rank.reset();
  }
  if (place.rank && place.world_size && *place.rank >= *place.world_size) {
    remarks.push_back(fmt::format("rank {} of {} ranks: the {} is ignored", *place.rank,
                                  *place.world_size,
                                  given.world_size ? "rank" : "number of ranks"));
    (given.world_size ? place.rank : place.world_size).reset();
  }
  if (place.local_rank.value_or(0) >= place.local_world_size.value_or(kMostRanks)) {
    place.local_world_size.reset();
  }
}

bool says_something(const GivenPlace& given) {
  return given.job_id || given.rank || given.local_rank || given.world_size;
}

/// Puts what is given in the place of what was found; nothing when there is no job even then.
std::optional<RankPlace> with_given(std::optional<RankPlace> found, const GivenPlace& given,
                                    const JobNamer& namer, std::vector<std::string>& remarks) {
  if (!says_something(given)) return found;
  RankPlace place = found.value_or(RankPlace{});
  place.found_by += place.found_by.empty() ? "options" : ", options";
  replace(place.rank, given.rank);
  replace(place.local_rank, given.local_rank);
  replace(place.world_size, given.world_size);
  drop_contradictions(place, given, remarks);
  if (given.job_id) place.job = *given.job_id;
  if (!place.job.empty()) return place;
  if (!place.rank) return std::nullopt;
  place.job = namer.name_given_ranks();
  return place;
}

std::optional<RankPlace> place_of_child(const Ancestry& ancestry) {
  auto run = ancestry.tracked_run();
  if (!run) return std::nullopt;
  RankPlace place;
  place.job = job_name(*std::move(run));
  place.found_by = "a parent process that tracks";
  return place;
}

}  // namespace

FoundPlace find_place(const GivenPlace& given, const Environment& environment,
                      const Ancestry& ancestry) {
  FoundPlace result;
  const JobNamer namer(environment, ancestry);
  const auto found = read_ranks(environment, result.remarks);
  std::optional<RankPlace> place;
  if (!found.empty()) {
    place = place_by(found);
    if (!given.job_id) place->job = namer.name(found);
  } else if (!given.job_id) {
    place = place_of_child(ancestry);
  }
  result.place = with_given(std::move(place), given, namer, result.remarks);
  return result;
}

}  // namespace codecarbon
