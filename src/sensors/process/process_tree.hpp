#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/process_stat.hpp"
#include "readings/probe.hpp"

namespace codecarbon::process {

/// Which of a machine's processes are one and its descendants, and the CPU time that they have used
/// since the first look, those that have ended included.
///
/// A descendant stays one when its parent ends and another takes it over. What a process used until
/// the last look is counted; what it used after that, and what descendants used that came and went
/// between two looks, is in the `children` time of whoever waited for it, and is counted if that is
/// one of these processes. Pure; one thread at a time. Does not allocate once it has seen as many
/// processes as there are.
class ProcessTree {
 public:
  /// With TrackedProcesses::children the root's own time, memory and number are not of the tree.
  ProcessTree(int root, TrackedProcesses tracked) : root_(root), tracked_(tracked) {}

  /// All processes of the machine now, at least those that can be seen. They are sorted on the way.
  void look(std::span<ProcessStat> all);

  std::int64_t ticks() const { return ticks_; }  ///< never falls
  std::int64_t pages() const { return pages_; }
  bool owns(int pid) const;
  /// How many live processes have times that are cut to whole ticks.
  std::size_t live() const { return members_.size(); }

 private:
  struct Member {
    ProcessStat stat;
    std::int64_t growth = 0;  // of `children` since the last look, as far as nothing explains it
  };
  enum class Mark : std::uint8_t { unknown, on_the_way, own, foreign };

  void mark_all(std::span<const ProcessStat> all);
  Mark climb(std::span<const ProcessStat> all, std::size_t from);
  bool counts_itself(const ProcessStat& process) const {
    return tracked_ == TrackedProcesses::self || process.pid != root_;
  }
  void take_growth(Member& now);
  std::int64_t explain_ended();
  bool is_remembered(const ProcessStat& process) const;

  int root_;
  TrackedProcesses tracked_;
  bool looked_ = false;
  std::int64_t ticks_ = 0;
  std::int64_t pages_ = 0;
  std::vector<Member> members_;  // by number, as all these
  std::vector<Member> before_;
  std::vector<Mark> marks_;
  std::vector<std::size_t> path_;
};

}  // namespace codecarbon::process
