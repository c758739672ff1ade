#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinks/file_io.hpp"

namespace codecarbon {

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

/// A piece of the file that was searched and does not hold the key. A row that holds it further on
/// may still begin in here. `text` lives as long as the call that hands it over.
struct Searched {
  std::uint64_t begin = 0;
  std::string_view text;
};
using WhenSearched = std::function<OrErrno<void>(const Searched& piece)>;

/// The first row that begins in this part of a file of `size` bytes, holds the key in it, and
/// answers to it. `when_searched` is told of the pieces before the key, in order; what lies around
/// a key that is not of such a row is in none of them.
OrErrno<std::optional<ByteRange>> find_row(int fd, ByteRange where, std::uint64_t size,
                                           const RowKey& key,
                                           const WhenSearched& when_searched = {});

/// All of them, in order.
OrErrno<std::vector<ByteRange>> find_rows(int fd, ByteRange where, std::uint64_t size,
                                          const RowKey& key);

}  // namespace codecarbon
