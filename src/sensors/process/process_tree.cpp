#include "sensors/process/process_tree.hpp"

#include <algorithm>
#include <utility>

namespace codecarbon::process {
namespace {

constexpr int number(const ProcessStat& process) {
  return process.pid;
}

/// The one of this number in a range sorted by it; the end when there is none.
template <class Range, class Number>
auto find_pid(Range& range, int pid, Number number_of) {
  const auto found =
      std::lower_bound(range.begin(), range.end(), pid,
                       [&](const auto& entry, int wanted) { return number_of(entry) < wanted; });
  return found != range.end() && number_of(*found) == pid ? found : range.end();
}

constexpr auto kNumberOfMember = [](const auto& member) { return member.stat.pid; };

bool same_process(const ProcessStat& a, const ProcessStat& b) {
  return a.pid == b.pid && a.started == b.started;
}

}  // namespace

bool ProcessTree::is_remembered(const ProcessStat& process) const {
  const auto known = find_pid(before_, process.pid, kNumberOfMember);
  return known != before_.end() && same_process(known->stat, process);
}

/// Follows parents upwards until one is known to be of the tree or not; the whole way is then
/// known.
ProcessTree::Mark ProcessTree::climb(std::span<const ProcessStat> all, std::size_t from) {
  path_.clear();
  std::size_t at = from;
  Mark found = Mark::foreign;
  while (true) {
    if (marks_[at] == Mark::own || marks_[at] == Mark::foreign) {
      found = marks_[at];
      break;
    }
    // Numbers that were read at different moments may form a ring.
    if (marks_[at] == Mark::on_the_way) break;
    marks_[at] = Mark::on_the_way;
    path_.push_back(at);
    const auto parent = find_pid(all, all[at].parent, number);
    if (parent == all.end()) break;
    at = static_cast<std::size_t>(parent - all.begin());
  }
  for (const std::size_t step : path_) marks_[step] = found;
  return found;
}

void ProcessTree::mark_all(std::span<const ProcessStat> all) {
  marks_.assign(all.size(), Mark::unknown);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].pid == root_ || is_remembered(all[i])) marks_[i] = Mark::own;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (climb(all, i) == Mark::own) members_.push_back({all[i], 0});
  }
}

/// What a process and those it waited for used since the last look; of a new one, all.
void ProcessTree::take_growth(Member& now) {
  ProcessStat last{};
  if (const auto known = find_pid(before_, now.stat.pid, kNumberOfMember);
      known != before_.end() && same_process(known->stat, now.stat)) {
    last = known->stat;
  }
  now.growth = std::max<std::int64_t>(now.stat.children - last.children, 0);
  if (counts_itself(now.stat)) ticks_ += std::max<std::int64_t>(now.stat.self - last.self, 0);
}

/// What those that ended had used until the last look has been counted, and is now also in the
/// `children` time of whoever waited for them: the parent, or if that has ended too, anyone above.
/// Takes it off there; what cannot be placed is returned. Those that had been taken over by a
/// process that is not of the tree leave no trace in it.
std::int64_t ProcessTree::explain_ended() {
  std::int64_t unplaced = 0;
  for (const Member& ended : before_) {
    const auto now = find_pid(members_, ended.stat.pid, kNumberOfMember);
    if (now != members_.end() && same_process(now->stat, ended.stat)) continue;
    const std::int64_t counted = ended.stat.self + ended.stat.children;
    const auto parent = find_pid(members_, ended.stat.parent, kNumberOfMember);
    if (parent != members_.end()) {
      // A parent that does not care for its children's ends never gets their time.
      parent->growth = std::max<std::int64_t>(parent->growth - counted, 0);
    } else if (find_pid(before_, ended.stat.parent, kNumberOfMember) != before_.end()) {
      unplaced += counted;
    }
  }
  return unplaced;
}

void ProcessTree::look(std::span<ProcessStat> all) {
  std::sort(all.begin(), all.end(),
            [](const ProcessStat& a, const ProcessStat& b) { return a.pid < b.pid; });
  std::swap(members_, before_);
  members_.clear();
  mark_all(all);
  const std::int64_t ticks_before = ticks_;
  pages_ = 0;
  for (Member& member : members_) {
    take_growth(member);
    if (counts_itself(member.stat)) pages_ += member.stat.pages;
  }
  const std::int64_t unplaced = explain_ended();
  std::int64_t growth = 0;
  for (const Member& member : members_) growth += member.growth;
  ticks_ += std::max<std::int64_t>(growth - unplaced, 0);
  // The first look is where counting begins.
  if (!std::exchange(looked_, true)) ticks_ = ticks_before;
}

bool ProcessTree::owns(int pid) const {
  const auto member = find_pid(members_, pid, kNumberOfMember);
  return member != members_.end() && counts_itself(member->stat);
}

}  // namespace codecarbon::process
