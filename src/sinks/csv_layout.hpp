#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/row.hpp"
#include "sinks/csv_text.hpp"
#include "sinks/file_io.hpp"

namespace codecarbon {

/// The first record of a file, as it stands there.
struct CsvHeader {
  CsvRecord columns;
  std::string line_end;    ///< empty when the file ends with the header
  std::uint64_t size = 0;  ///< bytes up to the first row, BOM and line end included
};

/// Reads no more of the file than the header needs. No columns when the file holds no record; a
/// header of more than 1 MiB is cut there.
OrErrno<CsvHeader> read_header(int fd);

/// How a row is written into a file: in the order of the file's columns, with its line ends.
class CsvLayout {
 public:
  /// For a file that has none yet.
  static CsvLayout of_new_file(std::span<const std::string_view> columns);
  /// Missing when the header is not the same set of columns.
  static std::optional<CsvLayout> of_header(const CsvHeader& header,
                                            std::span<const std::string_view> columns);

  /// `row` has the cells of `columns` above, in that order.
  std::string encode(std::span<const Cell> row) const;
  std::string encode_names(std::span<const std::string_view> columns) const;

  const std::string& line_end() const { return line_end_; }
  /// What a text that ends in `last` lacks of a line end.
  std::string_view missing_line_end(char last) const;
  std::size_t columns() const { return order_.size(); }
  /// Where in the file's rows the column is that is number `index` of `columns` above.
  std::size_t place_of(std::size_t index) const;

 private:
  std::vector<std::size_t> order_;  ///< for each column of the file, its number in a row
  std::string line_end_ = "\n";
};

}  // namespace codecarbon
