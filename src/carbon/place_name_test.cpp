#include "carbon/place_name.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace codecarbon::carbon {
namespace {

TEST(Folded, BringsSpellingsTogether) {
  EXPECT_EQ(folded("  QUÉBEC\t"), "quebec");
  EXPECT_EQ(folded("Hokkaidō"), "hokkaido");
  EXPECT_EQ(folded("Łódź"), "lodz");
  EXPECT_EQ(folded("new_york"), "new york");
  EXPECT_EQ(folded("new \n  York"), "new york");
  EXPECT_EQ(folded("SE-SE3"), "se-se3");
  EXPECT_EQ(folded(" \t\n"), "");
}

TEST(Folded, KeepsOtherBytes) {
  EXPECT_EQ(folded("北京"), "北京");
  EXPECT_EQ(folded("\xC3"), "\xC3") << "a cut character";
  EXPECT_EQ(folded("a\xC3 b"), "a\xC3 b");
  EXPECT_EQ(folded("3×4"), "3×4");
}

TEST(Folded, IsAFixedPointForAnyBytes) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    const std::string once = folded(text);
    RC_ASSERT(folded(once) == once);
  }));
}

}  // namespace
}  // namespace codecarbon::carbon
