#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "sinks/csv_text.hpp"

namespace codecarbon {

struct ParsedRow {
  CsvRecord fields;
  std::size_t size = 0;
  bool ended = false;  ///< by a line end, not by the end of the text
};

/// The row at the start of `text`; missing unless its quotes are where they belong. A line end
/// inside a quoted field looks like the start of a row, but reading from there meets the quote that
/// closes the field, where none belongs.
std::optional<ParsedRow> strict_row(std::string_view text);

/// How many line ends may lie inside the quoted fields of one row.
inline constexpr int kMaxLines = 1000;

/// Calls `take` with what may be the starts of rows at or before `position`, the nearest first:
/// places after a line end, and 0. Stops when `take` returns true or after kMaxLines.
template <class Take>
void for_each_start(std::string_view text, std::size_t position, Take take) {
  for (int tried = 0; tried < kMaxLines; ++tried) {
    const std::size_t line_end =
        position == 0 ? std::string_view::npos : text.rfind('\n', position - 1);
    const std::size_t start = line_end == std::string_view::npos ? 0 : line_end + 1;
    if (take(start) || start == 0) return;
    position = start - 1;
  }
}

}  // namespace codecarbon
