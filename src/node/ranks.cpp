#include "node/ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "host/host.hpp"
#include "host/slurm_job.hpp"

namespace codecarbon {
namespace {

using Number = std::optional<int>;

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

}  // namespace

std::vector<Ranks> read_ranks(const Environment& environment, std::vector<std::string>& remarks) {
  const RankReader reader(environment, remarks);
  std::vector<Ranks> found;
  for (const Launcher& launcher : launchers()) {
    if (auto ranks = reader.read(launcher)) found.push_back(*ranks);
  }
  // Several launchers share variables: what is wrong with one is wrong once.
  remarks.erase(std::unique(remarks.begin(), remarks.end()), remarks.end());
  return found;
}

}  // namespace codecarbon
