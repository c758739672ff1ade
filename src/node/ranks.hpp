#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/environment.hpp"
#include "node/launchers.hpp"

namespace codecarbon {

/// More ranks than any job has.
inline constexpr int kMostRanks = 100'000'000;

/// What one launcher says of this process. Contradicts itself nowhere.
struct Ranks {
  const Launcher* launcher = nullptr;
  std::optional<int> rank;  ///< missing only where the launcher tells the local rank alone
  std::optional<int> local_rank;
  std::optional<int> world_size;
  std::optional<int> local_world_size;

  bool are_those_of(const Ranks& other) const {
    return rank == other.rank && world_size == other.world_size;
  }
  bool are_all_here() const { return world_size && local_world_size == world_size; }
};

/// What each launcher around this process says, the innermost first; empty when nobody started it
/// as a rank. `remarks` gets a line for what is set and cannot be true. Pure.
std::vector<Ranks> read_ranks(const Environment& environment, std::vector<std::string>& remarks);

}  // namespace codecarbon
