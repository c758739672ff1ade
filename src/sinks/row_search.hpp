#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinks/file_io.hpp"

namespace codecarbon {

/// Bytes [begin, end) of a file or text.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t size() const { return end - begin; }
  bool operator==(const ByteRange&) const = default;
};

/// Which rows are looked for: those whose field number `index` is `value`, which is not empty, in a
/// file whose rows have `field_count` fields.
struct RowKey {
  std::string value;
  std::size_t index = 0;
  std::size_t field_count = 0;
};

/// The row in `text` that holds byte `hit` and answers to `key`, its line end included. `text`
/// begins where a row begins or somewhere inside one. Works from the hit outwards: rows far away
/// may be as malformed as they like. Line ends and commas inside quoted texts are told from those
/// of rows, unless a text holds a whole row of this file, key and all, on lines of its own.
std::optional<ByteRange> row_around(std::string_view text, std::size_t hit, const RowKey& key);

/// Rows that begin in this part of a file of `size` bytes, hold the key in it, and answer to it; in
/// order.
OrErrno<std::vector<ByteRange>> find_rows(int fd, ByteRange where, std::uint64_t size,
                                          const RowKey& key);

/// Where a half-written last row begins: after the last complete row of `text`, which is the end of
/// a file. Missing when the last row is complete, be it without its line end, or when no
/// complete row is in sight.
std::optional<std::size_t> torn_row(std::string_view text, std::size_t field_count);

}  // namespace codecarbon
