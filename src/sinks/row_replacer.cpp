#include "sinks/row_replacer.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "sinks/copy_without.hpp"
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
  if (!tail.empty()) tail += csv.layout.missing_line_end(tail.back());
  tail += row;
  const auto replaced = journal.replace_tail(csv.file.fd(), begin, tail, calls);
  if (replaced) csv.size = begin + tail.size();
  return replaced;
}

OrErrno<void> replace_far(OpenCsv& csv, const std::filesystem::path& path, const RowKey& key,
                          ByteRange first, const std::string& row, const FileCalls& calls) {
  const std::uint64_t largest = csv.size - first.size() + csv.layout.line_end().size() + row.size();
  if (const auto allowed = check_size_limit(largest); !allowed) return allowed;
  return replace_under_lock(csv.file.fd(), path, [&](int scratch) -> OrErrno<void> {
    const auto copied = copy_without_rows(csv.file.fd(), csv.size, key, first, scratch, calls);
    if (!copied) return copied;
    const auto size = file_size(scratch);
    if (!size) return tl::unexpected(size.error());
    const auto last = read_range(scratch, *size - 1, 1);
    if (!last) return tl::unexpected(last.error());
    csv.size = *size;
    if (last->empty()) return tl::unexpected(EIO);
    const std::string text = std::string(csv.layout.missing_line_end(last->front())) + row;
    const auto written = write_all(scratch, text, calls);
    if (written) csv.size += text.size();
    return written;
  });
}

}  // namespace

OrErrno<std::optional<ByteRange>> RowReplacer::first_row(const OpenCsv& csv,
                                                         const RowKey& key) const {
  const int fd = csv.file.fd();
  // Only if all rows were seen once is one that is found known to be the first.
  if (searched_key_ == key.value) {
    const std::array places{ByteRange{last_row_, std::min(csv.size, last_row_ + kNear)},
                            ByteRange{near_end(csv), csv.size}};
    for (const ByteRange& place : places) {
      if (place.begin < csv.first_row || place.begin >= place.end) continue;
      auto row = find_row(fd, place, csv.size, key);
      if (!row || *row) return row;
    }
  }
  return find_row(fd, {csv.first_row, csv.size}, csv.size, key);
}

OrErrno<void> RowReplacer::replace(OpenCsv& csv, const std::filesystem::path& path,
                                   const TailJournal& journal, const RowKey& key,
                                   const std::string& row, const FileCalls& calls) {
  const auto first = first_row(csv, key);
  if (!first) return tl::unexpected(first.error());
  retired_ = Fd{};
  OrErrno<void> result;
  if (!*first) {
    result = append_text(csv, row, calls);
  } else if ((*first)->begin >= near_end(csv)) {
    const auto rows = find_rows(csv.file.fd(), {(*first)->begin, csv.size}, csv.size, key);
    if (!rows) return tl::unexpected(rows.error());
    result = replace_near(csv, *rows, journal, row, calls);
  } else {
    result = replace_far(csv, path, key, **first, row, calls);
    retired_ = Fd(::fcntl(csv.file.fd(), F_DUPFD_CLOEXEC, 0));
  }
  if (!result) return result;
  searched_key_ = key.value;
  last_row_ = csv.size - row.size();
  return {};
}

}  // namespace codecarbon
