#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace codecarbon {
namespace {

constexpr std::size_t kLongestQuote = 80;
constexpr std::size_t kFurthestSlip = 2;

unsigned byte(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

/// How many bytes a sequence takes that starts with `lead`; 0 when none does.
std::size_t sequence_length(unsigned lead) {
  if (lead < 0x80U) return 1;
  if (lead >= 0xC2U && lead < 0xE0U) return 2;
  if (lead >= 0xE0U && lead < 0xF0U) return 3;
  if (lead >= 0xF0U && lead < 0xF5U) return 4;
  return 0;
}

/// Neither a longer form of a shorter sequence, nor a surrogate, nor beyond U+10FFFF.
bool second_byte_fits(unsigned lead, unsigned second) {
  if (lead == 0xE0U) return second >= 0xA0U;
  if (lead == 0xEDU) return second < 0xA0U;
  if (lead == 0xF0U) return second >= 0x90U;
  if (lead == 0xF4U) return second < 0x90U;
  return true;
}

/// Bytes of the well-formed character at the start of `text`; 0 when there is none.
std::size_t character_length(std::string_view text) {
  if (text.empty()) return 0;
  const std::size_t length = sequence_length(byte(text, 0));
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(text, i) & 0xC0U) != 0x80U) return 0;
  }
  return length == 1 || second_byte_fits(byte(text, 0), byte(text, 1)) ? length : 0;
}

bool is_printable(unsigned lead) {
  return lead >= 0x20U && lead != 0x7FU;
}

std::string mapped(std::string_view text, char from, char to) {
  std::string result(text);
  for (char& c : result) {
    if (c >= from && c <= from + 25) c = static_cast<char>(c - from + to);
  }
  return result;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view take_until(std::string_view& text, char end) {
  const auto length = std::min(text.find(end), text.size());
  const auto taken = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return taken;
}

std::string lower(std::string_view text) {
  return mapped(text, 'A', 'a');
}

std::string upper(std::string_view text) {
  return mapped(text, 'a', 'A');
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  while (!text.empty() && result.size() <= kLongestQuote) {
    const std::size_t length = character_length(text);
    if (length == 0 || !is_printable(byte(text, 0))) {
      result += fmt::format("\\x{:02x}", byte(text, 0));
      text.remove_prefix(1);
    } else {
      result += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return result + (text.empty() ? "\"" : "...\"");
}

std::size_t slips(std::string_view a, std::string_view b) {
  // Three rows of the table of distances between beginnings: this one and the two before.
  std::vector<std::size_t> before;
  std::vector<std::size_t> last;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, changed});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

std::optional<std::string_view> closest(std::string_view text,
                                        std::span<const std::string_view> candidates) {
  // Beyond this no candidate can be near, and the comparison would only cost.
  constexpr std::size_t kLongestWord = 64;
  if (text.size() > kLongestWord) return std::nullopt;
  const std::string wanted = lower(text);
  std::optional<std::string_view> best;
  std::size_t best_distance = kFurthestSlip + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = slips(wanted, lower(candidate));
    // A slip must leave most of the word standing: "xx" is no misspelt "on".
    if (distance < best_distance && distance * 2 < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace codecarbon
