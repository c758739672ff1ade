#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "host/environment.hpp"

namespace codecarbon {

/// Variables that may hold one value: the first that is set does. Empty names are none.
using Names = std::array<std::string_view, 3>;

/// How one launcher tells the processes that it starts who they are.
struct Launcher {
  std::string_view name;
  /// False where the variables are somebody else's, or mean no rank here.
  bool (*applies)(const Environment&);
  Names rank;  ///< none: on the node that NODE_RANK numbers 0 it is the local one
  Names local_rank;
  Names world_size;
  Names local_world_size;
  /// Ranks of each node in Slurm's form "2(x3),1", where there is no number for this node.
  std::string_view ranks_per_node;
  /// What the launcher calls the job; empty: nothing that only this job has.
  std::string (*job)(const Environment&);
  /// Variables whose values together are equal for all ranks and differ between jobs.
  Names meeting_place = {};
  /// The ranks are started, with their variables, by one process per node, or by what it starts.
  bool names_ranks_at_start = false;
  /// The process that starts the others is a rank itself, and may have begun to track as none.
  bool starter_is_rank = false;
  /// Its variables are those that programs and scripts set by themselves too.
  bool unsigned_variables = false;
};

/// In the order in which they are asked: a launcher that may run inside another goes before it.
std::span<const Launcher> launchers();

/// The batch job that the process belongs to, whatever started it there; empty outside one.
std::string batch_job(const Environment& environment);

/// The value of the first of `names` that is set and not empty; empty when none is.
std::string_view value_of(const Environment& environment, const Names& names);
/// Its name; empty when none is set.
std::string_view name_set(const Environment& environment, const Names& names);

}  // namespace codecarbon
