#include "host/process_stat.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <span>

namespace codecarbon {
namespace {

constexpr std::int64_t kMost = INT64_MAX / 16;  // ten of them can be added up

/// Takes one word of digits off `text`; missing when the next word is no such number.
std::optional<std::int64_t> take_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || value < 0 || value > kMost) return std::nullopt;
  // The last digit is known to be the last only when something follows it.
  if (length == text.size() || (text[length] != ' ' && text[length] != '\n')) return std::nullopt;
  text.remove_prefix(length);
  return value;
}

void skip_words(std::string_view& text, int count) {
  for (; count > 0; --count) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    text.remove_prefix(std::min(text.find(' '), text.size()));
  }
}

std::optional<int> process_number(std::optional<std::int64_t> value) {
  if (!value || *value > std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(*value);
}

/// Reads numbers into `values` until one is missing; how many there were.
std::size_t take_numbers(std::string_view text, std::span<std::int64_t> values) {
  std::size_t count = 0;
  while (count < values.size()) {
    const auto value = take_number(text);
    if (!value) break;
    values[count++] = *value;
  }
  return count;
}

}  // namespace

std::optional<ProcessStat> parse_process_stat(std::string_view text) {
  // "PID (NAME) STATE PPID ...": a name may hold blanks, parentheses and line ends, and nothing
  // behind it holds a parenthesis.
  const auto opened = text.find(" (");
  const auto closed = text.rfind(") ");
  if (opened == std::string_view::npos || closed == std::string_view::npos || closed < opened) {
    return std::nullopt;
  }
  std::string_view head = text.substr(0, opened + 1);
  std::string_view rest = text.substr(closed + 1);
  const auto pid = process_number(take_number(head));
  skip_words(rest, 1);  // state
  const auto parent = process_number(take_number(rest));
  if (!pid || *pid == 0 || !parent) return std::nullopt;

  skip_words(rest, 9);  // group to faults
  std::array<std::int64_t, 4> times{};
  if (take_numbers(rest, times) != times.size()) return std::nullopt;
  skip_words(rest, 8);                  // the times, and priority to the timer that is no more
  std::array<std::int64_t, 3> later{};  // start, address space, resident pages
  if (take_numbers(rest, later) != later.size()) return std::nullopt;
  return ProcessStat{*pid, *parent, later[0], times[0] + times[1], times[2] + times[3], later[2]};
}

}  // namespace codecarbon
