#include "sinks/row_search.hpp"

#include <algorithm>
#include <cstring>

#include "sinks/csv_text.hpp"

namespace codecarbon {
namespace {

constexpr std::size_t kBlock = 1U << 18U;
constexpr std::size_t kFirstWindow = 1U << 16U;
constexpr std::size_t kLastWindow = 1U << 24U;
/// How many line ends before a hit may lie inside a quoted field of its own row.
constexpr int kMaxLines = 1000;

struct ParsedRow {
  CsvRecord fields;
  std::size_t size = 0;
  bool ended = false;  ///< by a line end, not by the end of the text
};

/// The row at the start of `text`; missing unless its quotes are where they belong. A line end
/// inside a quoted field looks like the start of a row, but reading from there meets the quote that
/// closes the field, where none belongs.
std::optional<ParsedRow> strict_row(std::string_view text) {
  CsvReader reader(false);
  ParsedRow row;
  row.size = reader.feed(text);
  row.ended = reader.done();
  if (!reader.finish() || !reader.strict()) return std::nullopt;
  row.fields = reader.take();
  return row;
}

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

/// Starts of rows at or before `position`, the nearest first: after a line end, or at 0. Stops when
/// `take` returns true or no more are near.
template <class Take>
void for_each_start(std::string_view text, std::size_t position, int limit, Take take) {
  for (int tried = 0; tried < limit; ++tried) {
    const std::size_t line_end =
        position == 0 ? std::string_view::npos : text.rfind('\n', position - 1);
    const std::size_t start = line_end == std::string_view::npos ? 0 : line_end + 1;
    if (take(start) || start == 0) return;
    position = start - 1;
  }
}

bool ends_a_row(std::string_view text, std::size_t end, std::size_t field_count) {
  bool found = false;
  for_each_start(text, end - 1, kMaxLines, [&](std::size_t start) {
    const auto row = strict_row(text.substr(start, end - start));
    found = row && row->ended && start + row->size == end && row->fields.size() == field_count;
    return found;
  });
  return found;
}

/// The key as it stands in a file, whether or not the field is in quotes.
std::string needle_of(const RowKey& key) {
  std::string needle;
  for (const char c : key.value) {
    if (c == '"') needle += c;
    needle += c;
  }
  return needle;
}

/// Reads around `hit` until its row is in view. The byte before `from` is read too, because only a
/// line end there makes `from` the start of a row.
OrErrno<std::optional<ByteRange>> row_in_file(int fd, std::uint64_t from, std::uint64_t size,
                                              std::uint64_t hit, const RowKey& key) {
  const std::uint64_t lowest = from > 0 ? from - 1 : 0;
  for (std::size_t reach = kFirstWindow;; reach *= 16) {
    const std::uint64_t begin = std::max(lowest, hit - std::min<std::uint64_t>(hit, reach));
    const std::uint64_t end = std::min<std::uint64_t>(size, hit + reach);
    const auto window = read_range(fd, begin, end - begin);
    if (!window) return tl::unexpected(window.error());
    const auto row = row_around(*window, hit - begin, key);
    const bool whole =
        row && (begin + row->end < end || end == size) && (row->begin > 0 || begin == 0);
    if (whole) return ByteRange{begin + row->begin, begin + row->end};
    if (reach >= kLastWindow || (begin == lowest && end == size)) return std::optional<ByteRange>{};
  }
}

std::size_t find(std::string_view text, std::string_view needle) {
  const void* const found = ::memmem(text.data(), text.size(), needle.data(), needle.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

/// Calls `hit(offset)` for each place of `needle` in that part of the file; `hit` returns where to
/// go on.
template <class Hit>
OrErrno<void> for_each_hit(int fd, ByteRange where, const std::string& needle, Hit hit) {
  std::vector<char> buffer(std::min<std::uint64_t>(kBlock + needle.size(), where.size()));
  while (where.begin + needle.size() <= where.end) {
    const auto want = std::min<std::uint64_t>(buffer.size(), where.size());
    const auto block = read_into(fd, where.begin, std::span(buffer).first(want));
    if (!block) return tl::unexpected(block.error());
    const std::size_t found = find(*block, needle);
    if (found != std::string_view::npos) {
      const OrErrno<std::uint64_t> next = hit(where.begin + found);
      if (!next) return tl::unexpected(next.error());
      where.begin = *next;
    } else if (block->size() < buffer.size() || block->size() == where.size()) {
      break;
    } else {
      where.begin += block->size() - (needle.size() - 1);
    }
  }
  return {};
}

}  // namespace

std::optional<ByteRange> row_around(std::string_view text, std::size_t hit, const RowKey& key) {
  std::optional<ByteRange> found;
  for_each_start(text, hit, kMaxLines, [&](std::size_t start) {
    const auto row = strict_row(text.substr(start));
    if (!row || start + row->size <= hit || row->fields.size() != key.field_count) return false;
    if (row->fields[key.index] != key.value) return false;
    found = ByteRange{start, start + row->size};
    return true;
  });
  return found;
}

OrErrno<std::vector<ByteRange>> find_rows(int fd, ByteRange where, std::uint64_t size,
                                          const RowKey& key) {
  std::vector<ByteRange> rows;
  if (where.begin >= where.end) return rows;
  const auto searched =
      for_each_hit(fd, where, needle_of(key), [&](std::uint64_t hit) -> OrErrno<std::uint64_t> {
        const std::uint64_t lowest = rows.empty() ? where.begin : rows.back().end;
        const auto row = row_in_file(fd, lowest, size, hit, key);
        if (!row) return tl::unexpected(row.error());
        if (!*row) return hit + 1;
        rows.push_back(**row);
        return (*row)->end;
      });
  if (!searched) return tl::unexpected(searched.error());
  return rows;
}

std::optional<std::size_t> torn_row(std::string_view text, std::size_t field_count) {
  std::optional<std::size_t> torn;
  for_each_start(text, text.size(), kMaxLines, [&](std::size_t start) {
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
