#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sampling/sampler.hpp"

namespace codecarbon {

/// An open window of a task.
struct OpenTask {
  std::string key;   ///< unique among all tasks of the tracker
  std::string name;  ///< as the user gave it; empty for a task without one
  Sampler::WindowKey window;
};

/// Which task windows are open and under which keys. Pure bookkeeping; one thread at a time.
class TaskWindows {
 public:
  /// The key for a new task of this name: the name, or name#2, name#3 ... when it was used before.
  /// A task without a name needs a key that nobody else would think of; it is not kept in mind.
  std::string next_key(std::string_view name) const;
  void add(OpenTask task);
  /// Removes and returns the task with this key; else the youngest of this name; for an empty name
  /// the youngest of all.
  std::optional<OpenTask> take(std::string_view key_or_name);
  std::vector<OpenTask> take_all();
  bool empty() const { return open_.empty(); }

 private:
  std::vector<OpenTask> open_;
  std::set<std::string, std::less<>> keys_;  // all that were ever given out
  std::map<std::string, int, std::less<>> times_used_;
};

}  // namespace codecarbon
