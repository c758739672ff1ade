#include "carbon/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace codecarbon::carbon {
namespace {

/// Cuts the first line off `text`, without its line end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

CsvRow split(std::string_view line) {
  CsvRow row;
  std::size_t at = 0;
  while (row.size < CsvRow::kMaxCells) {
    const bool in_quotes = line.substr(at).starts_with('"');
    const std::size_t begin = at + (in_quotes ? 1 : 0);
    const std::size_t end = std::min(line.find(in_quotes ? '"' : ',', begin), line.size());
    row.cells[row.size++] = line.substr(begin, end - begin);
    const std::size_t comma = line.find(',', end);
    if (comma == std::string_view::npos) break;
    at = comma + 1;
  }
  return row;
}

}  // namespace

CsvReader::CsvReader(std::string_view text) : rest_(text) {
  while (rest_.starts_with('#')) take_line(rest_);
  columns_ = split(take_line(rest_));
}

std::optional<CsvRow> CsvReader::next() {
  if (rest_.empty()) return std::nullopt;
  return split(take_line(rest_));
}

std::string_view head_value(std::string_view table, std::string_view key) {
  while (table.starts_with("# ")) {
    std::string_view line = take_line(table).substr(2);
    if (line.starts_with(key) && line.substr(key.size()).starts_with(": ")) {
      return line.substr(key.size() + 2);
    }
  }
  return {};
}

std::string table_source(std::string_view table) {
  const std::string_view source = head_value(table, "source");
  const std::string_view package = head_value(table, "package");
  std::string_view year = head_value(table, "year");
  year = year.substr(0, year.find(" ("));
  if (year.empty() || year == "not stated") return fmt::format("{} ({})", source, package);
  return fmt::format("{}, {} ({})", source, year, package);
}

std::optional<double> number(std::string_view cell) {
  double value = 0;
  const char* const end = cell.data() + cell.size();
  const auto [rest, error] = std::from_chars(cell.data(), end, value);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return value;
}

}  // namespace codecarbon::carbon
