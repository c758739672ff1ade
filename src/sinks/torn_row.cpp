#include "sinks/torn_row.hpp"

#include "sinks/csv_text.hpp"
#include "sinks/row_text.hpp"

namespace codecarbon {
namespace {

/// Whether `text` is the beginning of one row and not more.
bool is_cut_row(std::string_view text) {
  CsvReader reader(false);
  reader.feed(text);
  return !text.empty() && !reader.done();
}

/// Whether the last field of a row that ends without a line end was written to its end, as far as
/// can be told: a number that ends in the middle, or nothing, was not.
bool is_full_value(std::string_view value) {
  if (value.empty()) return false;
  const bool number = value.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
  return !number || (value.back() >= '0' && value.back() <= '9');
}

/// Whether `text` is one row that lacks only its line end.
bool is_row_without_end(std::string_view text, std::size_t field_count) {
  const auto row = strict_row(text);
  return row && row->size == text.size() && row->fields.size() == field_count &&
         is_full_value(row->fields.back());
}

bool ends_a_row(std::string_view text, std::size_t end, std::size_t field_count) {
  bool found = false;
  for_each_start(text, end - 1, [&](std::size_t start) {
    const auto row = strict_row(text.substr(start, end - start));
    found = row && row->ended && start + row->size == end && row->fields.size() == field_count;
    return found;
  });
  return found;
}

}  // namespace

bool is_open_text(std::string_view text) {
  CsvReader reader(false);
  reader.feed(text);
  return !reader.done() && reader.in_quotes();
}

std::optional<std::size_t> torn_row(std::string_view text, std::size_t field_count) {
  std::optional<std::size_t> torn;
  for_each_start(text, text.size(), [&](std::size_t start) {
    if (start == 0) return true;
    if (start < text.size() && !is_cut_row(text.substr(start))) return false;
    if (!ends_a_row(text, start, field_count)) return false;
    const auto rest = text.substr(start);
    if (!rest.empty() && !is_row_without_end(rest, field_count)) torn = start;
    return true;
  });
  return torn;
}

}  // namespace codecarbon
