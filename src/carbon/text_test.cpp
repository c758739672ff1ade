#include "carbon/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cctype>

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

TEST(OneTypoApart, KnowsTheFourKinds) {
  EXPECT_TRUE(one_typo_apart("fra", "fro"));
  EXPECT_TRUE(one_typo_apart("fra", "fr"));
  EXPECT_TRUE(one_typo_apart("fr", "fra"));
  EXPECT_TRUE(one_typo_apart("fra", "far"));
  EXPECT_TRUE(one_typo_apart("a", ""));
}

TEST(OneTypoApart, IsNotEqualityAndNotTwo) {
  EXPECT_FALSE(one_typo_apart("fra", "fra"));
  EXPECT_FALSE(one_typo_apart("", ""));
  EXPECT_FALSE(one_typo_apart("fra", "deu"));
  EXPECT_FALSE(one_typo_apart("fra", "foo"));
  EXPECT_FALSE(one_typo_apart("abcd", "badc"));
}

TEST(InQuotes, IsAlwaysOneShortLine) {
  EXPECT_EQ(in_quotes("Fr ance"), "\"Fr ance\"");
  EXPECT_EQ(in_quotes("a\nb\x7F"), "\"a?b?\"");
  EXPECT_EQ(in_quotes(std::string(61, 'x')), '"' + std::string(60, 'x') + "...\"");
  EXPECT_TRUE(rc::check([](const std::string& text) {
    const std::string shown = in_quotes(text);
    RC_ASSERT(shown.size() <= 65U);
    for (const char c : shown) RC_ASSERT(!std::iscntrl(static_cast<unsigned char>(c)));
  }));
}

}  // namespace
}  // namespace codecarbon::carbon
