#include "base/file_name.hpp"

#include <cstddef>

namespace codecarbon {
namespace {

/// Room for two parts and what stands around them in the 255 bytes that a file's name may have.
constexpr std::size_t kLongestPart = 100;

/// The beginning of a text, without a part of a character at its end.
std::string_view first_bytes(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  while (most > 0 && continues(text[most])) --most;
  return text.substr(0, most);
}

}  // namespace

std::string file_name_part(std::string_view text) {
  std::string part(first_bytes(text, kLongestPart));
  for (char& c : part) {
    if (c == '/' || c == '\\' || (c >= '\0' && c < ' ') || c == '\x7f') c = '_';
  }
  return part;
}

}  // namespace codecarbon
