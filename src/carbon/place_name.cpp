#include "carbon/place_name.hpp"

#include <cstddef>

#include "base/text.hpp"

namespace codecarbon::carbon {
namespace {

/// The base letters of U+00C0 to U+017F, in order; '?' where there is none.
constexpr std::string_view kBaseLetters =
    "aaaaaaaceeeeiiiidnooooo?ouuuuytsaaaaaaaceeeeiiiidnooooo?ouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
    "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

constexpr unsigned byte(char c) {
  return static_cast<unsigned char>(c);
}

/// The base letter of the two-byte character that `text` begins with; '?' when it is none of those.
char base_letter(std::string_view text) {
  if (text.size() < 2 || (byte(text[1]) & 0xC0U) != 0x80U) return '?';
  const unsigned lead = byte(text[0]);
  if (lead < 0xC3U || lead > 0xC5U) return '?';
  return kBaseLetters[((lead - 0xC3U) << 6U) | (byte(text[1]) & 0x3FU)];
}

bool is_blank(char c) {
  return c == ' ' || c == '_' || (c >= '\t' && c <= '\r');
}

}  // namespace

std::string folded(std::string_view text) {
  std::string result;
  bool blank = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_blank(text[i])) {
      blank = true;
      continue;
    }
    if (blank && !result.empty()) result += ' ';
    blank = false;
    const char base = base_letter(text.substr(i));
    result += base == '?' ? text[i] : base;
    if (base != '?') ++i;
  }
  return lower(result);
}

}  // namespace codecarbon::carbon
