#pragma once
/// \file
/// Reads the tables of data/ straight from their text, without keeping anything. Pure.
///
/// A table is lines `# key: value`, then a line of column names, then rows. A cell with a comma in
/// it stands in double quotes; there are no quotes and no line ends within cells.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace codecarbon::carbon {

/// The cells of one line; those that the line does not have are empty.
struct CsvRow {
  static constexpr std::size_t kMaxCells = 8;
  std::array<std::string_view, kMaxCells> cells;
  std::size_t size = 0;

  std::string_view operator[](std::size_t column) const { return cells[column]; }
};

/// Goes over the rows of a table once. The text must outlive it and what it returns.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text);

  const CsvRow& columns() const { return columns_; }
  /// The next row; nothing at the end.
  std::optional<CsvRow> next();

 private:
  std::string_view rest_;
  CsvRow columns_;
};

/// The value of `key` in the table's head; empty when it is not there.
std::string_view head_value(std::string_view table, std::string_view key);

/// The figures' origin for a person: "Ember, up to 2024 (@tgwf/co2 0.19.0)". What stands in
/// brackets after the year in the head is left out, and so is a year that is "not stated".
std::string table_source(std::string_view table);

/// A number as the tables write it; nothing when `cell` is empty or no number.
std::optional<double> number(std::string_view cell);

}  // namespace codecarbon::carbon
