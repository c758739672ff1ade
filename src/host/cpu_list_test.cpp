#include "host/cpu_list.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>
#include <string>

#include "host/machine_copy.hpp"

namespace codecarbon {
namespace {

int count(std::string_view text) {
  return CpuList::parse(text).value().count();
}

TEST(CpuList, CountsWhatItNames) {
  EXPECT_EQ(count("0\n"), 1);
  EXPECT_EQ(count("0-127\n"), 128);
  EXPECT_EQ(count("0-3,8,10-11\n"), 7);
  EXPECT_EQ(count("0-3,2-5,5,1"), 6) << "each processor once";
}

TEST(CpuList, TextThatIsNoListGivesNothing) {
  for (const char* text : {"", "\n", "a", "3-1", "1-", "-", "0-3,x", "0,,1", "-1", "0-99999999999",
                           "0-2147483647,0-2147483647"}) {
    EXPECT_EQ(CpuList::parse(text), std::nullopt) << text;
  }
}

TEST(CpuList, KnowsItsProcessors) {
  const CpuList list = CpuList::parse("8-11,0-3").value();
  EXPECT_TRUE(list.contains(0));
  EXPECT_TRUE(list.contains(11));
  EXPECT_FALSE(list.contains(4));
  EXPECT_FALSE(list.contains(12));
  EXPECT_EQ(list.last(), 11);
  EXPECT_EQ(list.common(CpuList::parse("2-9").value()), CpuList::parse("2-3,8-9"));
  EXPECT_EQ(list.common(CpuList::parse("4-7").value()), std::nullopt);
}

TEST(CpuList, IsTheSetOfWhatWasWritten) {
  EXPECT_TRUE(rc::check([] {
    const auto cpus =
        *rc::gen::nonEmpty(rc::gen::container<std::set<int>>(rc::gen::inRange(0, 64)));
    std::string text;
    for (const int cpu : cpus) text += (text.empty() ? "" : ",") + std::to_string(cpu);
    const CpuList list = CpuList::parse(text).value();
    RC_ASSERT(list.count() == static_cast<int>(cpus.size()));
    for (int cpu = 0; cpu < 64; ++cpu) RC_ASSERT(list.contains(cpu) == cpus.contains(cpu));
    RC_ASSERT(list.common(list) == list);
  }));
}

TEST(CpuList, AnyTextIsAListOrNothing) {
  EXPECT_TRUE(rc::check([] {
    const auto text =
        *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0129-, \n")));
    const auto list = CpuList::parse(text);
    if (!list) return;
    RC_ASSERT(list->count() > 0);
    RC_ASSERT(list->contains(list->last()));
  }));
}

TEST(CpuList, AFileThatIsNotThereHoldsNone) {
  const testing_support::MachineCopy machine;
  machine.write("list", "0-1\n");
  EXPECT_EQ(read_cpu_list(machine.host(), "list"), CpuList::parse("0-1"));
  EXPECT_EQ(read_cpu_list(machine.host(), "none"), std::nullopt);
}

}  // namespace
}  // namespace codecarbon
