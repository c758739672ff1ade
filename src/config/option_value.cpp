#include "config/option_value.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "host/host.hpp"

namespace codecarbon {
namespace {

bool is_quote(char c) {
  return c == '\'' || c == '"';
}

/// The item without its quotes; missing when it is empty or its quotes do not match.
std::optional<std::string_view> parse_item(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && (is_quote(text.front()) || is_quote(text.back()))) {
    if (text.size() < 2 || text.front() != text.back()) return std::nullopt;
    text = trimmed(text.substr(1, text.size() - 2));
  }
  if (text.empty()) return std::nullopt;
  return text;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<int> parse_whole_number(std::string_view text) {
  const auto value = parse_integer(text);
  if (!value || !std::in_range<int>(*value)) return std::nullopt;
  return static_cast<int>(*value);
}

std::optional<std::vector<std::string>> parse_list(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('[') != text.ends_with(']')) return std::nullopt;
  if (text.starts_with('[')) text = trimmed(text.substr(1, text.size() - 2));
  std::vector<std::string> items;
  if (text.empty()) return items;
  while (true) {
    const auto comma = text.find(',');
    const auto item = parse_item(text.substr(0, comma));
    if (!item) return std::nullopt;
    items.emplace_back(*item);
    if (comma == std::string_view::npos) return items;
    text.remove_prefix(comma + 1);
  }
}

std::optional<LogLevel> parse_log_level(std::string_view text) {
  const auto found = find_word(text, word_texts<LogLevel>());
  if (found) return Words<LogLevel>::kAll[*found].value;
  const auto number = parse_number(text);
  if (!number || *number < 0 || *number > 50 || *number != std::floor(*number)) return std::nullopt;
  constexpr std::array kLevels{LogLevel::debug, LogLevel::info, LogLevel::warning, LogLevel::error,
                               LogLevel::critical};
  // Python's levels are 10 apart and a number between two hears the upper one; 0 hears everything.
  const auto step = static_cast<std::size_t>(std::ceil(*number / 10));
  return kLevels[step == 0 ? 0 : step - 1];
}

std::optional<std::size_t> find_word(std::string_view text,
                                     std::span<const std::string_view> words) {
  const std::string wanted = lower(trimmed(text));
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == wanted) return i;
  }
  return std::nullopt;
}

std::string show_number(double value) {
  return fmt::format("{}", value);
}

std::string show_list(const std::vector<std::string>& items) {
  // An empty list is not an empty text: that would read as "not set".
  return items.empty() ? "[]" : fmt::format("{}", fmt::join(items, ", "));
}

}  // namespace codecarbon
