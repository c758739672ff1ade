#include "tracker/task_windows.hpp"

#include <algorithm>
#include <utility>

namespace codecarbon {
namespace {

std::string numbered(std::string_view name, int n) {
  return std::string(name) + "#" + std::to_string(n);
}

}  // namespace

std::string TaskWindows::next_key(std::string_view name) const {
  std::string key(name);
  const auto times = times_used_.find(name);
  int n = times == times_used_.end() ? 1 : times->second + 1;
  if (n > 1) key = numbered(name, n);
  while (keys_.contains(key)) key = numbered(name, ++n);
  return key;
}

void TaskWindows::add(OpenTask task) {
  if (!task.name.empty()) {
    keys_.insert(task.key);
    ++times_used_[task.name];
  }
  open_.push_back(std::move(task));
}

std::optional<OpenTask> TaskWindows::take(std::string_view key_or_name) {
  const auto youngest = [&](auto matches) {
    return std::find_if(open_.rbegin(), open_.rend(), matches);
  };
  auto found = youngest([&](const OpenTask& task) { return task.key == key_or_name; });
  if (found == open_.rend()) {
    found = youngest(
        [&](const OpenTask& task) { return key_or_name.empty() || task.name == key_or_name; });
  }
  if (found == open_.rend()) return std::nullopt;
  OpenTask task = std::move(*found);
  open_.erase(std::next(found).base());
  return task;
}

std::vector<OpenTask> TaskWindows::take_all() {
  return std::exchange(open_, {});
}

}  // namespace codecarbon
