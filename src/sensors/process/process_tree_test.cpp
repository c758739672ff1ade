#include "sensors/process/process_tree.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>

namespace codecarbon::process {
namespace {

constexpr int kInit = 1;
constexpr int kRoot = 100;
constexpr int kStranger = 200;

/// Processes as a kernel keeps them, with the truth about who used what.
class World {
 public:
  explicit World(bool root_takes_orphans) : orphans_to_(root_takes_orphans ? kRoot : kInit) {
    add(kInit, 0, false);
    add(kRoot, kInit, true);
    add(kStranger, kInit, false);
  }

  int spawn(int parent) {
    const int pid = next_pid_++;
    add(pid, parent, processes_.at(parent).of_tree);
    return pid;
  }
  void burn(int pid, int ticks) {
    Process& process = processes_.at(pid);
    process.stat.self += ticks;
    if (process.of_tree) truth_ += ticks;
  }
  /// Its children go to whoever takes orphans; its time to the parent, if that waits for it.
  void end(int pid, bool waited_for = true) {
    const Process ended = processes_.at(pid);
    processes_.erase(pid);
    for (auto& [other, process] : processes_) {
      if (process.stat.parent == pid) process.stat.parent = orphans_to_;
    }
    if (waited_for) {
      processes_.at(ended.stat.parent).stat.children += ended.stat.self + ended.stat.children;
    }
  }
  std::vector<int> of_tree() const {
    std::vector<int> pids;
    for (const auto& [pid, process] : processes_) {
      if (process.of_tree) pids.push_back(pid);
    }
    return pids;
  }
  std::vector<ProcessStat> all() const {
    std::vector<ProcessStat> stats;
    for (const auto& [pid, process] : processes_) stats.push_back(process.stat);
    std::reverse(stats.begin(), stats.end());
    return stats;
  }
  std::int64_t truth() const { return truth_; }
  void reuse_number(int pid) { next_pid_ = pid; }

 private:
  struct Process {
    ProcessStat stat;
    bool of_tree = false;
  };
  void add(int pid, int parent, bool of_tree) {
    processes_[pid] = {{pid, parent, started_++, 0, 0, 10}, of_tree};
  }
  int orphans_to_;
  int next_pid_ = 300;
  std::int64_t started_ = 0;
  std::int64_t truth_ = 0;
  std::map<int, Process> processes_;
};

void look(ProcessTree& tree, const World& world) {
  auto all = world.all();
  tree.look(all);
}

TEST(ProcessTree, AParentThatSleepsWhileShortLivedChildrenBurn) {
  World world(false);
  ProcessTree tree(kRoot, TrackedProcesses::self);
  look(tree, world);
  for (int i = 0; i < 50; ++i) {
    const int child = world.spawn(kRoot);
    world.burn(child, 3);
    world.end(child);
  }
  look(tree, world);
  EXPECT_EQ(tree.ticks(), 150);
}

TEST(ProcessTree, WhatWasUsedBeforeTheFirstLookIsNotCounted) {
  World world(false);
  const int child = world.spawn(kRoot);
  world.burn(child, 1000);
  world.burn(kRoot, 500);
  ProcessTree tree(kRoot, TrackedProcesses::self);
  look(tree, world);
  EXPECT_EQ(tree.ticks(), 0);
  world.burn(child, 5);
  world.end(child);
  look(tree, world);
  EXPECT_EQ(tree.ticks(), 5);
}

TEST(ProcessTree, OthersAreNotCounted) {
  World world(false);
  ProcessTree tree(kRoot, TrackedProcesses::self);
  look(tree, world);
  world.burn(kStranger, 100);
  world.burn(world.spawn(kStranger), 100);
  world.burn(kInit, 100);
  look(tree, world);
  EXPECT_EQ(tree.ticks(), 0);
  EXPECT_TRUE(tree.owns(kRoot));
  EXPECT_FALSE(tree.owns(kStranger));
}

TEST(ProcessTree, AnOrphanStaysOurs) {
  World world(false);
  ProcessTree tree(kRoot, TrackedProcesses::self);
  const int child = world.spawn(kRoot);
  const int grandchild = world.spawn(child);
  look(tree, world);
  world.end(child);
  world.burn(grandchild, 7);
  look(tree, world);
  world.burn(world.spawn(grandchild), 4);
  look(tree, world);
  EXPECT_EQ(tree.ticks(), 11);
  EXPECT_TRUE(tree.owns(grandchild));
}

TEST(ProcessTree, AnOrphansEndElsewhereTakesNothingFromTheOthers) {
  World world(false);
  ProcessTree tree(kRoot, TrackedProcesses::self);
  const int child = world.spawn(kRoot);
  const int grandchild = world.spawn(child);
  look(tree, world);
  world.end(child);
  world.burn(grandchild, 100);
  look(tree, world);
  world.end(grandchild);
  const int other = world.spawn(kRoot);
  world.burn(other, 30);
  world.end(other);
  look(tree, world);
  EXPECT_EQ(tree.ticks(), 130);
}

TEST(ProcessTree, AParentThatDoesNotWaitLosesNothingThatWasSeen) {
  World world(false);
  ProcessTree tree(kRoot, TrackedProcesses::self);
  const int child = world.spawn(kRoot);
  look(tree, world);
  world.burn(child, 20);
  look(tree, world);
  world.end(child, false);
  look(tree, world);
  EXPECT_EQ(tree.ticks(), 20);
}

TEST(ProcessTree, ANumberThatIsUsedAgainIsAnotherProcess) {
  World world(false);
  ProcessTree tree(kRoot, TrackedProcesses::self);
  const int child = world.spawn(kRoot);
  world.burn(child, 20);
  look(tree, world);
  world.end(child);
  world.reuse_number(child);
  world.burn(world.spawn(kStranger), 1000);
  look(tree, world);
  EXPECT_EQ(tree.ticks(), 0);
  EXPECT_FALSE(tree.owns(child));
}

TEST(ProcessTree, WithoutTheRootOnlyItsDescendantsCount) {
  World world(true);
  ProcessTree tree(kRoot, TrackedProcesses::children);
  look(tree, world);
  const int child = world.spawn(kRoot);
  world.burn(kRoot, 100);
  world.burn(child, 3);
  look(tree, world);
  EXPECT_EQ(tree.ticks(), 3);
  EXPECT_EQ(tree.pages(), 10);
  EXPECT_FALSE(tree.owns(kRoot));
  EXPECT_TRUE(tree.owns(child));
}

TEST(ProcessTree, NumbersThatFormARingEnd) {
  std::vector<ProcessStat> ring{{7, 8, 1, 5, 5, 1}, {8, 7, 1, 5, 5, 1}, {9, 9, 1, 5, 5, 1}};
  ProcessTree tree(kRoot, TrackedProcesses::self);
  tree.look(ring);
  EXPECT_EQ(tree.live(), 0U);
}

/// Anything that processes may do between two looks.
void live_on(World& world) {
  for (int step = *rc::gen::inRange(0, 12); step > 0; --step) {
    const auto pids = world.of_tree();
    const int pid = *rc::gen::elementOf(pids);
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        world.spawn(pid);
        break;
      case 1:
        if (pid != kRoot) world.end(pid);
        break;
      default:
        world.burn(pid, *rc::gen::inRange(0, 100));
    }
  }
}

TEST(ProcessTree, CountsEveryTickWhereTheRootTakesOrphans) {
  EXPECT_TRUE(rc::check([] {
    World world(true);
    ProcessTree tree(kRoot, TrackedProcesses::self);
    look(tree, world);
    for (int i = 0; i < 10; ++i) {
      live_on(world);
      look(tree, world);
      RC_ASSERT(tree.ticks() == world.truth());
    }
  }));
}

TEST(ProcessTree, NeverCountsMoreThanWasUsedNorFalls) {
  EXPECT_TRUE(rc::check([] {
    World world(false);
    ProcessTree tree(kRoot, TrackedProcesses::self);
    look(tree, world);
    std::int64_t before = 0;
    for (int i = 0; i < 10; ++i) {
      live_on(world);
      look(tree, world);
      RC_ASSERT(tree.ticks() <= world.truth());
      RC_ASSERT(tree.ticks() >= before);
      before = tree.ticks();
    }
  }));
}

}  // namespace
}  // namespace codecarbon::process
