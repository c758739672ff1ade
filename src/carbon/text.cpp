#include "carbon/text.hpp"

#include <algorithm>
#include <cstddef>

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

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// What is left of both when their common beginning and end are taken away.
void drop_common_ends(std::string_view& a, std::string_view& b) {
  while (!a.empty() && !b.empty() && a.front() == b.front()) {
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a.remove_suffix(1);
    b.remove_suffix(1);
  }
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
    result += base == '?' ? lower(text[i]) : base;
    if (base != '?') ++i;
  }
  return result;
}

bool one_typo_apart(std::string_view a, std::string_view b) {
  drop_common_ends(a, b);
  if (a.size() + b.size() == 0) return false;
  if (a.size() <= 1 && b.size() <= 1) return true;
  return a.size() == 2 && b.size() == 2 && a[0] == b[1] && a[1] == b[0];
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string result = "\"";
  for (const char c : text.substr(0, kLongest)) result += byte(c) < 0x20U || c == 0x7F ? '?' : c;
  if (text.size() > kLongest) result += "...";
  return result + '"';
}

}  // namespace codecarbon::carbon
