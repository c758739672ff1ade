#include "sinks/row_search.hpp"

#include <algorithm>
#include <cstring>

#include "sinks/row_text.hpp"

namespace codecarbon {
namespace {

/// Small enough to be still in the processor's cache for whoever copies what was searched.
constexpr std::size_t kBlock = 1U << 16U;
constexpr std::size_t kFirstWindow = 1U << 16U;
constexpr std::size_t kLastWindow = 1U << 24U;

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

}  // namespace

std::optional<ByteRange> row_around(std::string_view text, std::size_t hit, const RowKey& key) {
  std::optional<ByteRange> found;
  for_each_start(text, hit, [&](std::size_t start) {
    const auto row = strict_row(text.substr(start));
    if (!row || start + row->size <= hit || row->fields.size() != key.field_count) return false;
    if (row->fields[key.index] != key.value) return false;
    found = ByteRange{start, start + row->size};
    return true;
  });
  return found;
}

OrErrno<std::optional<ByteRange>> find_row(int fd, ByteRange where, std::uint64_t size,
                                           const RowKey& key, const WhenSearched& when_searched) {
  const std::uint64_t lowest = where.begin;
  const std::string needle = needle_of(key);
  std::vector<char> buffer(kBlock + needle.size());
  while (where.begin + needle.size() <= where.end) {
    const auto want = std::min<std::uint64_t>(buffer.size(), where.size());
    const auto block = read_into(fd, where.begin, std::span(buffer).first(want));
    if (!block) return tl::unexpected(block.error());
    const std::size_t hit = find(*block, needle);
    if (hit != std::string_view::npos) {
      auto row = row_in_file(fd, lowest, size, where.begin + hit, key);
      if (!row || *row) return row;
      where.begin += hit + 1;
      continue;
    }
    if (block->size() < needle.size()) break;
    const Searched piece{where.begin, block->substr(0, block->size() - (needle.size() - 1))};
    where.begin += piece.text.size();
    if (!when_searched) continue;
    if (const auto went = when_searched(piece); !went) return tl::unexpected(went.error());
  }
  return std::optional<ByteRange>{};
}

OrErrno<std::vector<ByteRange>> find_rows(int fd, ByteRange where, std::uint64_t size,
                                          const RowKey& key) {
  std::vector<ByteRange> rows;
  while (where.begin < where.end) {
    const auto row = find_row(fd, where, size, key);
    if (!row) return tl::unexpected(row.error());
    if (!*row) break;
    rows.push_back(**row);
    where.begin = (*row)->end;
  }
  return rows;
}

}  // namespace codecarbon
