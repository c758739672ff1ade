#include "sinks/csv_layout.hpp"

#include <algorithm>
#include <numeric>

namespace codecarbon {
namespace {

constexpr std::size_t kHeaderBlock = 4096;
constexpr std::uint64_t kLongestHeader = 1U << 20U;

}  // namespace

OrErrno<CsvHeader> read_header(int fd) {
  CsvReader reader;
  CsvHeader header;
  while (!reader.done() && header.size < kLongestHeader) {
    const auto block = read_range(fd, header.size, kHeaderBlock);
    if (!block) return tl::unexpected(block.error());
    if (block->empty()) break;
    header.size += reader.feed(*block);
  }
  if (!reader.finish()) return header;
  header.line_end = reader.line_end();
  header.columns = reader.take();
  return header;
}

CsvLayout CsvLayout::of_new_file(std::span<const std::string_view> columns) {
  CsvLayout layout;
  layout.order_.resize(columns.size());
  std::iota(layout.order_.begin(), layout.order_.end(), 0U);
  return layout;
}

std::optional<CsvLayout> CsvLayout::of_header(const CsvHeader& header,
                                              std::span<const std::string_view> columns) {
  if (header.columns.size() != columns.size()) return std::nullopt;
  CsvLayout layout;
  std::vector<bool> used(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    // Nearly always the file's order is ours.
    const auto found = columns[i] == header.columns[i]
                           ? columns.begin() + static_cast<std::ptrdiff_t>(i)
                           : std::find(columns.begin(), columns.end(), header.columns[i]);
    if (found == columns.end()) return std::nullopt;
    const auto index = static_cast<std::size_t>(found - columns.begin());
    if (used[index]) return std::nullopt;
    used[index] = true;
    layout.order_.push_back(index);
  }
  if (!header.line_end.empty()) layout.line_end_ = header.line_end;
  return layout;
}

std::string_view CsvLayout::missing_line_end(char last) const {
  if (last == '\n') return {};
  return last == '\r' && line_end_ == "\r\n" ? "\n" : std::string_view(line_end_);
}

std::string CsvLayout::encode(std::span<const Cell> row) const {
  std::vector<std::string_view> fields;
  fields.reserve(order_.size());
  for (const std::size_t index : order_) fields.emplace_back(row[index].value);
  return encode_csv(fields, line_end_);
}

std::string CsvLayout::encode_names(std::span<const std::string_view> columns) const {
  std::vector<std::string_view> fields;
  for (const std::size_t index : order_) fields.push_back(columns[index]);
  return encode_csv(fields, line_end_);
}

std::size_t CsvLayout::place_of(std::size_t index) const {
  return static_cast<std::size_t>(std::find(order_.begin(), order_.end(), index) - order_.begin());
}

}  // namespace codecarbon
