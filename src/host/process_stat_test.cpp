#include "host/process_stat.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace codecarbon {
namespace {

std::string line(const std::string& name) {
  return "4711 (" + name +
         ") S 42 4711 4711 0 -1 4194560 9 8 7 6 100 20 3000 400 20 0 1 0 987654 5237536 370 "
         "18446744073709551615 94551911374848 0 0 0 0\n";
}

TEST(ProcessStat, SaysWhoseChildItIsAndWhatItUsed) {
  const auto stat = parse_process_stat(line("make"));
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->pid, 4711);
  EXPECT_EQ(stat->parent, 42);
  EXPECT_EQ(stat->self, 120);
  EXPECT_EQ(stat->children, 3400);
  EXPECT_EQ(stat->started, 987654);
  EXPECT_EQ(stat->pages, 370);
}

TEST(ProcessStat, ANameMayHoldAnything) {
  for (const char* name :
       {"", "a b", ") S 1 (", "((", "))", ") (", "x\ny", "1 (2) S 3", "\xff\xfe"}) {
    const auto stat = parse_process_stat(line(name));
    ASSERT_TRUE(stat) << name;
    EXPECT_EQ(stat->parent, 42) << name;
    EXPECT_EQ(stat->pages, 370) << name;
  }
}

TEST(ProcessStat, ACutLineSaysNothing) {
  const std::string whole = line("a (b) c");
  const auto needed = whole.find(" 370 ") + 5;
  for (std::size_t length = 0; length < needed; ++length) {
    EXPECT_FALSE(parse_process_stat(whole.substr(0, length))) << length;
  }
  EXPECT_TRUE(parse_process_stat(whole.substr(0, needed)));
}

TEST(ProcessStat, TextThatIsNoSuchLineGivesNothing) {
  for (const char* text :
       {"", "4711", "(a) S 1", "x (a) S 42",
        "0 (a) S 42 1 1 0 -1 0 0 0 0 0 1 1 1 1 0 0 0 0 1 1 1 1",
        "-5 (a) S 42 1 1 0 -1 0 0 0 0 0 1 1 1 1 0 0 0 0 1 1 1 1",
        "99999999999 (a) S 42 1 1 0 -1 0 0 0 0 0 1 1 1 1 0 0 0 0 1 1 1 1",
        "7 (a) S 42 1 1 0 -1 0 0 0 0 0 9999999999999999999 1 1 1 0 0 0 0 1 1 1 1"}) {
    EXPECT_FALSE(parse_process_stat(text)) << text;
  }
}

TEST(ProcessStat, AnyTextIsSafe) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    for (const char* before : {"", "1 (a) ", "1 (a) S 2 0 0 0 0 0 0 0 0 0 "}) {
      const auto stat = parse_process_stat(before + text);
      RC_ASSERT(!stat || (stat->pid > 0 && stat->self >= 0 && stat->children >= 0));
    }
  }));
}

}  // namespace
}  // namespace codecarbon
