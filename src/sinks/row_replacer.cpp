#include "sinks/row_replacer.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>

#include "sinks/file_moves.hpp"

namespace codecarbon {
namespace {

/// A row that begins within this of the file's end is replaced where it is; one further away costs
/// a copy of the file, after which it is near the end.
constexpr std::uint64_t kNear = 1U << 16U;

std::uint64_t near_end(const OpenCsv& csv) {
  return std::max(csv.first_row, csv.size - std::min(csv.size, kNear));
}

/// What is left of [begin, end) without `rows`, which are in order.
std::vector<ByteRange> parts_between(std::uint64_t begin, std::uint64_t end,
                                     std::span<const ByteRange> rows) {
  std::vector<ByteRange> parts;
  for (const ByteRange& row : rows) {
    if (row.begin > begin) parts.push_back({begin, row.begin});
    begin = row.end;
  }
  if (end > begin) parts.push_back({begin, end});
  return parts;
}

OrErrno<void> replace_near(OpenCsv& csv, std::span<const ByteRange> rows,
                           const TailJournal& journal, const std::string& row,
                           const FileCalls& calls) {
  const std::uint64_t begin = rows.front().begin;
  const auto old_tail = read_range(csv.file.fd(), begin, csv.size - begin);
  if (!old_tail) return tl::unexpected(old_tail.error());
  std::string tail;
  for (const ByteRange& part : parts_between(begin, csv.size, rows)) {
    tail.append(*old_tail, part.begin - begin, part.size());
  }
  if (!tail.empty() && tail.back() != '\n') tail += csv.layout.line_end();
  tail += row;
  const auto replaced = journal.replace_tail(csv.file.fd(), begin, tail, calls);
  if (replaced) csv.size = begin + tail.size();
  return replaced;
}

OrErrno<void> replace_far(OpenCsv& csv, const std::filesystem::path& path,
                          std::span<const ByteRange> rows, const std::string& row,
                          const FileCalls& calls) {
  const auto kept = parts_between(0, csv.size, rows);
  const auto last = read_range(csv.file.fd(), kept.back().end - 1, 1);
  if (!last) return tl::unexpected(last.error());
  const std::string text = (*last == "\n" ? "" : csv.layout.line_end()) + row;
  const auto replaced = replace_by_parts(csv.file.fd(), path, kept, text, calls);
  if (!replaced) return replaced;
  csv.size = text.size();
  for (const ByteRange& part : kept) csv.size += part.size();
  return {};
}

}  // namespace

OrErrno<std::vector<ByteRange>> RowReplacer::own_rows(const OpenCsv& csv, const RowKey& key) const {
  const int fd = csv.file.fd();
  // Only if all rows were seen once is the first one that is found known to be the only one.
  if (searched_key_ == key.value) {
    const std::array places{ByteRange{last_row_, std::min(csv.size, last_row_ + kNear)},
                            ByteRange{near_end(csv), csv.size}};
    for (const ByteRange& place : places) {
      if (place.begin < csv.first_row) continue;
      auto rows = find_rows(fd, place, csv.size, key);
      if (!rows || !rows->empty()) return rows;
    }
  }
  return find_rows(fd, {csv.first_row, csv.size}, csv.size, key);
}

OrErrno<void> RowReplacer::replace(OpenCsv& csv, const std::filesystem::path& path,
                                   const TailJournal& journal, const RowKey& key,
                                   const std::string& row, const FileCalls& calls) {
  const auto rows = own_rows(csv, key);
  if (!rows) return tl::unexpected(rows.error());
  retired_ = Fd{};
  OrErrno<void> result;
  if (rows->empty()) {
    result = append_text(csv, row, calls);
  } else if (rows->front().begin >= near_end(csv)) {
    result = replace_near(csv, *rows, journal, row, calls);
  } else {
    result = replace_far(csv, path, *rows, row, calls);
    retired_ = Fd(::fcntl(csv.file.fd(), F_DUPFD_CLOEXEC, 0));
  }
  if (!result) return result;
  searched_key_ = key.value;
  last_row_ = csv.size - row.size();
  return {};
}

}  // namespace codecarbon
