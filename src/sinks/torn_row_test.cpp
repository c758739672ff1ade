#include "sinks/torn_row.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "sinks/csv_text.hpp"
#include "sinks/row_fixture.hpp"

namespace codecarbon {
namespace {

using testing::any_row;
using testing::encode;

TEST(TornRow, IsFoundWhereverTheWriteWasCut) {
  EXPECT_TRUE(rc::check([] {
    std::string text = "a,b,c\n";
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i) text += encode({"1", "2", "3"});
    const std::size_t begin = text.size();
    // Up to the last comma: within the last field no cut can be told from an end for certain.
    CsvRecord row = any_row();
    row.back() = "9";
    const std::string last = encode(row);
    text += last.substr(0, *rc::gen::inRange<std::size_t>(1, last.size() - 1));
    RC_ASSERT(torn_row(text, 3) == begin);
  }));
}

TEST(TornRow, IsNotSeenWhereOnlyTheLineEndIsMissing) {
  EXPECT_TRUE(rc::check([] {
    CsvRecord row = any_row();
    row.back() = *rc::gen::element<std::string>("9", "-0.5", "1e-05", "text", "a,\"b\"\n");
    const std::string last = encode(row);
    RC_ASSERT(!torn_row("a,b,c\n1,2,3\n" + last.substr(0, last.size() - 1), 3));
  }));
}

TEST(TornRow, IsNotSeenInAWholeFileNorInOneOfSomebodyElsesMaking) {
  EXPECT_TRUE(rc::check([] {
    std::string text = "a,b,c\n";
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i) text += encode(any_row());
    RC_ASSERT(!torn_row(text, 3));
  }));
  EXPECT_FALSE(torn_row("a,b,c\n1,2\n", 3));
  EXPECT_FALSE(torn_row("no,table", 3));
  EXPECT_FALSE(torn_row("", 3));
}

}  // namespace
}  // namespace codecarbon
