#include "base/file_name.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/text.hpp"

namespace codecarbon {
namespace {

TEST(FileName, OrdinaryTextStaysAsItIs) {
  EXPECT_EQ(file_name_part("node-1.example né"), "node-1.example né");
  EXPECT_EQ(file_name_part("a/b\\c\nd"), "a_b_c_d");
}

TEST(FileName, APartIsShortAndNoPathWhateverTheText) {
  rc::check("any bytes", [](const std::string& text) {
    const auto part = file_name_part(text);
    RC_ASSERT(part.size() <= 100U);
    RC_ASSERT(part.find('/') == std::string::npos);
    RC_ASSERT(part.find('\0') == std::string::npos);
  });
}

TEST(FileName, CharactersAreNotCutInTwo) {
  for (std::size_t lead = 0; lead < 4; ++lead) {
    std::string text(lead, 'x');
    while (text.size() < 200) text += "€";
    const auto part = file_name_part(text);
    EXPECT_TRUE(is_utf8(part)) << lead;
    EXPECT_GT(part.size(), 97U);
  }
}

}  // namespace
}  // namespace codecarbon
