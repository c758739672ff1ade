#include "base/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>

namespace codecarbon {
namespace {

TEST(Text, KnowsUtf8) {
  for (const char* good : {"", "plain", "é", "日本", "\xF0\x9F\x8C\xB1"}) {
    EXPECT_TRUE(is_utf8(good)) << good;
  }
  for (const char* bad : {"\xE9", "caf\xE9 au lait", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                          "\xE2\x82", "\x80", "\xF0\x80\x80\x80"}) {
    EXPECT_FALSE(is_utf8(bad)) << in_quotes(bad);
  }
}

TEST(Text, AQuoteIsOneShortPrintableLineOfAnything) {
  EXPECT_TRUE(rc::check([](const std::string& anything) {
    const std::string quote = in_quotes(anything);
    RC_ASSERT(is_utf8(quote));
    RC_ASSERT(quote.size() < 100U);
    RC_ASSERT(std::none_of(quote.begin(), quote.end(), [](char c) { return c >= 0 && c < ' '; }));
  }));
  EXPECT_EQ(in_quotes("a\nb\xE9"), "\"a\\x0ab\\xe9\"");
  EXPECT_EQ(in_quotes("né"), "\"né\"");
}

TEST(Text, TrimsBothEndsOnly) {
  EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
}

TEST(Text, TakesLineAfterLineUntilNothingIsLeft) {
  std::string_view text = "one\n\nlast";
  EXPECT_EQ(take_until(text, '\n'), "one");
  EXPECT_EQ(take_until(text, '\n'), "");
  EXPECT_EQ(take_until(text, '\n'), "last");
  EXPECT_EQ(take_until(text, '\n'), "");
}

TEST(Text, SlipsAreOfFourKinds) {
  for (const char* near : {"fro", "fr", "frab", "far"}) EXPECT_EQ(slips("fra", near), 1U) << near;
  EXPECT_EQ(slips("fra", "fra"), 0U);
  EXPECT_EQ(slips("", ""), 0U);
  EXPECT_EQ(slips("a", ""), 1U);
  EXPECT_EQ(slips("fra", "foo"), 2U);
  EXPECT_EQ(slips("abcd", "badc"), 2U);
  EXPECT_TRUE(rc::check([](const std::string& a, const std::string& b) {
    RC_ASSERT(slips(a, b) == slips(b, a));
    RC_ASSERT((slips(a, b) == 0U) == (a == b));
    RC_ASSERT(slips(a, b) <= std::max(a.size(), b.size()));
  }));
}

TEST(Text, NearMissesAreFoundAndGuessesAreNot) {
  constexpr std::array<std::string_view, 4> kWords{"append", "update", "on", "off"};
  EXPECT_EQ(closest("apend", kWords), "append");
  EXPECT_EQ(closest("UPDTAE", kWords), "update");
  EXPECT_EQ(closest("replace", kWords), std::nullopt);
  EXPECT_EQ(closest("x", kWords), std::nullopt);
  EXPECT_EQ(closest("", kWords), std::nullopt);
  EXPECT_EQ(closest(std::string(100'000, 'a'), kWords), std::nullopt);
}

}  // namespace
}  // namespace codecarbon
