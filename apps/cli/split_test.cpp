#include "split.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace codecarbon::cli {
namespace {

using Strings = std::vector<std::string>;

bool region_only(std::string_view flag) {
  return flag == "--region";
}

TEST(SplitLine, ValueOfAFlagIsNotTheProgram) {
  const SplitLine line = split_line({"--offline", "--region", "x", "ls", "-l"}, region_only);
  EXPECT_EQ(line.flags, (Strings{"--offline", "--region", "x"}));
  EXPECT_EQ(line.words, (Strings{"ls", "-l"}));
  EXPECT_FALSE(line.had_mark);
}

TEST(SplitLine, FlagThatCarriesItsValueTakesNoWord) {
  const SplitLine line = split_line({"--region=x", "ls"}, region_only);
  EXPECT_EQ(line.flags, (Strings{"--region=x"}));
  EXPECT_EQ(line.words, (Strings{"ls"}));
}

TEST(SplitLine, EmptyValueStaysAValue) {
  const SplitLine line = split_line({"--region=", "--offline=", "ls"}, region_only);
  EXPECT_EQ(line.flags, (Strings{"--region", "", "--offline="}));
  EXPECT_EQ(line.words, (Strings{"ls"}));
}

TEST(SplitLine, MarkMayBeAValueAndValueMayBeMissing) {
  EXPECT_EQ(split_line({"--region", "--", "--", "ls"}, region_only).words, (Strings{"ls"}));
  EXPECT_EQ(split_line({"--region"}, region_only).flags, (Strings{"--region"}));
}

TEST(SplitLine, WhatIsBehindTheMarkIsVerbatim) {
  EXPECT_TRUE(rc::check([](const Strings& program) {
    Strings words{"--region", "x", "--offline", "--"};
    words.insert(words.end(), program.begin(), program.end());
    const SplitLine line = split_line(words, region_only);
    RC_ASSERT(line.words == program);
    RC_ASSERT(line.had_mark);
    RC_ASSERT(line.flags == (Strings{"--region", "x", "--offline"}));
  }));
}

}  // namespace
}  // namespace codecarbon::cli
