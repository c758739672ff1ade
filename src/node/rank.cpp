#include "node/rank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/fnv1a.hpp"
#include "base/text.hpp"
#include "host/host.hpp"
#include "host/slurm_job.hpp"
#include "node/launchers.hpp"

namespace codecarbon {
namespace {

constexpr int kMostRanks = 100'000'000;
constexpr std::size_t kLongestJob = 200;

using Number = std::optional<int>;

/// The ranks that one launcher gives.
struct Ranks {
  const Launcher* launcher = nullptr;
  Number rank;
  Number local_rank;
  Number world_size;
  Number local_world_size;

  bool are_those_of(const Ranks& other) const {
    return rank == other.rank && world_size == other.world_size;
  }
  bool are_all_here() const { return world_size && local_world_size == world_size; }
};

/// Reads the variables of launchers, and remarks what cannot be true.
class RankReader {
 public:
  RankReader(const Environment& environment, std::vector<std::string>& remarks)
      : environment_(environment), remarks_(remarks) {}

  /// Missing when this launcher did not start the process.
  std::optional<Ranks> read(const Launcher& launcher) const {
    if (!launcher.applies(environment_)) return std::nullopt;
    const auto local = name_set(environment_, launcher.local_rank);
    const bool tells_local_only = launcher.rank.front().empty();
    if (name_set(environment_, tells_local_only ? launcher.local_rank : launcher.rank).empty()) {
      if (!local.empty()) remark("{} is set without {}", local, launcher.rank.front());
      return std::nullopt;
    }
    Ranks ranks{&launcher, number(launcher.rank, 0), number(launcher.local_rank, 0),
                number(launcher.world_size, 1), ranks_here(launcher)};
    if (tells_local_only && is_first_node()) ranks.rank = ranks.local_rank;
    const Number told = tells_local_only ? ranks.local_rank : ranks.rank;
    if (!told || contradicts(launcher, ranks)) return std::nullopt;
    believe_local(ranks);
    return ranks;
  }

 private:
  template <class... Values>
  void remark(fmt::format_string<Values...> form, Values&&... values) const {
    remarks_.push_back(fmt::format(form, std::forward<Values>(values)...) + ": ignored");
  }

  Number number(const Names& names, int least) const {
    const auto name = name_set(environment_, names);
    if (name.empty()) return std::nullopt;
    const auto text = value_of(environment_, names);
    const auto value = parse_integer(text);
    if (value && *value >= least && *value <= kMostRanks) return static_cast<int>(*value);
    remark("{} is {}, no whole number from {} to {}", name, in_quotes(text), least, kMostRanks);
    return std::nullopt;
  }

  Number ranks_here(const Launcher& launcher) const {
    if (launcher.ranks_per_node.empty()) return number(launcher.local_world_size, 1);
    const auto list = environment_.get(launcher.ranks_per_node).value_or("");
    const auto node = parse_integer(environment_.get("SLURM_NODEID").value_or(""));
    const auto here = value_on_node(list, node);
    return here && *here <= kMostRanks ? Number(static_cast<int>(*here)) : std::nullopt;
  }

  bool is_first_node() const {
    return parse_integer(environment_.get("NODE_RANK").value_or("")) == 0;
  }

  bool contradicts(const Launcher& launcher, const Ranks& ranks) const {
    if (!ranks.world_size || ranks.rank.value_or(0) < *ranks.world_size) return false;
    const auto name = name_set(environment_, launcher.rank);
    remark("{} is {} of {} ranks", name.empty() ? launcher.local_rank.front() : name, *ranks.rank,
           *ranks.world_size);
    return true;
  }

  void believe_local(Ranks& ranks) const {
    const Number world = ranks.world_size;
    if (world && ranks.local_world_size.value_or(1) > *world) {
      remark("{} of {} ranks are on this node", *ranks.local_world_size, *world);
      ranks.local_world_size.reset();
    }
    const Number most = ranks.local_world_size ? ranks.local_world_size : world;
    if (most && ranks.local_rank.value_or(0) >= *most) {
      remark("the local rank is {} of {} ranks", *ranks.local_rank, *most);
      ranks.local_rank.reset();
    }
  }

  const Environment& environment_;
  std::vector<std::string>& remarks_;
};

/// On one line of bearable length.
std::string as_name(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20U || c == 0x7fU; }, '_');
  if (text.size() > kLongestJob) text = fmt::format("{:016x}", fnv1a(text));
  return text;
}

/// Gives a name to jobs that have none.
class JobNamer {
 public:
  JobNamer(const Environment& environment, const Ancestry& ancestry)
      : environment_(environment), ancestry_(ancestry) {}

  /// `found` are the launchers around this process, not empty, the innermost first.
  std::string name(std::span<const Ranks> found) const {
    const Ranks& inner = found.front();
    const auto outer = found.subspan(1);
    if (auto job = inner.launcher->job(environment_); !job.empty()) return as_name(std::move(job));
    if (inner.launcher->starter_is_rank) {
      if (auto run = ancestry_.tracked_run()) return as_name(*std::move(run));
    }
    if (inner.launcher->unsigned_variables) {
      const auto same = std::find_if(outer.begin(), outer.end(),
                                     [&](const Ranks& ranks) { return ranks.are_those_of(inner); });
      if (same != outer.end()) return name({same, outer.end()});
    }
    return make(inner, name_around(outer));
  }

  /// For ranks that nobody gave but the options.
  std::string name_given_ranks() const {
    return compose(batch_job(environment_), ancestry_.launcher("CODECARBON_RANK"));
  }

 private:
  std::string name_around(std::span<const Ranks> outer) const {
    for (const Ranks& ranks : outer) {
      if (auto job = ranks.launcher->job(environment_); !job.empty()) return job;
    }
    return batch_job(environment_);
  }

  /// The process that started the ranks tells jobs apart for ever, but only those of one node, and
  /// only where it is known to have set the variables; the address where ranks meet is the same on
  /// all nodes, but later jobs may have it again.
  std::string make(const Ranks& ranks, const std::string& around) const {
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

  static std::string compose(const std::string& around, std::string_view difference) {
    return as_name(fmt::format("{}-{:016x}", around.empty() ? "job" : around, fnv1a(difference)));
  }

  const Environment& environment_;
  const Ancestry& ancestry_;
};

std::vector<Ranks> read_all(const Environment& environment, std::vector<std::string>& remarks) {
  const RankReader reader(environment, remarks);
  std::vector<Ranks> found;
  for (const Launcher& launcher : launchers()) {
    if (auto ranks = reader.read(launcher)) found.push_back(*ranks);
  }
  // Several launchers share variables: what is wrong with one is wrong once.
  remarks.erase(std::unique(remarks.begin(), remarks.end()), remarks.end());
  return found;
}

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
  place.job = as_name(*std::move(run));
  place.found_by = "a parent process that tracks";
  return place;
}

}  // namespace

FoundPlace find_place(const GivenPlace& given, const Environment& environment,
                      const Ancestry& ancestry) {
  FoundPlace result;
  const JobNamer namer(environment, ancestry);
  const auto found = read_all(environment, result.remarks);
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
