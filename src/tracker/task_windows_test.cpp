#include "tracker/task_windows.hpp"

#include <gtest/gtest.h>

namespace codecarbon {
namespace {

/// Opens a task of this name as a tracker would.
std::string open(TaskWindows& tasks, const std::string& name) {
  const std::string key = tasks.next_key(name);
  tasks.add({key, name, 0});
  return key;
}

TEST(TaskWindows, ARepeatedNameGetsItsOwnKeyEvenAfterTheFirstIsClosed) {
  TaskWindows tasks;
  EXPECT_EQ(open(tasks, "epoch"), "epoch");
  ASSERT_TRUE(tasks.take("epoch"));
  EXPECT_EQ(open(tasks, "epoch"), "epoch#2");
  EXPECT_EQ(open(tasks, "epoch"), "epoch#3");
}

TEST(TaskWindows, AKeyClosesExactlyItsOwnAndANameTheYoungest) {
  TaskWindows tasks;
  for (int i = 0; i < 3; ++i) open(tasks, "step");
  EXPECT_EQ(tasks.take("step#2")->key, "step#2");
  EXPECT_EQ(tasks.take("step")->key, "step");  // the key of the first
  EXPECT_EQ(tasks.take("step")->key, "step#3");
  EXPECT_FALSE(tasks.take("step"));
}

TEST(TaskWindows, WithoutANameTheYoungestOfAll) {
  TaskWindows tasks;
  open(tasks, "a");
  open(tasks, "b");
  EXPECT_EQ(tasks.take("")->name, "b");
  EXPECT_EQ(tasks.take("")->name, "a");
  EXPECT_FALSE(tasks.take(""));
}

TEST(TaskWindows, AnUnknownNameTakesNothing) {
  TaskWindows tasks;
  open(tasks, "a");
  EXPECT_FALSE(tasks.take("b"));
  EXPECT_EQ(tasks.take_all().size(), 1U);
}

TEST(TaskWindows, ATaskWithoutANameIsFoundByItsKeyAndNotRememberedAfterwards) {
  TaskWindows tasks;
  tasks.add({"made-up", "", 0});
  open(tasks, "named");
  EXPECT_EQ(tasks.take("made-up")->key, "made-up");
  EXPECT_EQ(tasks.next_key("made-up"), "made-up");
}

TEST(TaskWindows, AUserNameThatLooksLikeAKeyStaysUnique) {
  TaskWindows tasks;
  EXPECT_EQ(open(tasks, "a#2"), "a#2");
  EXPECT_EQ(open(tasks, "a"), "a");
  EXPECT_EQ(open(tasks, "a"), "a#3");
}

}  // namespace
}  // namespace codecarbon
