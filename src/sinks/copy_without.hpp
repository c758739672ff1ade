#pragma once

#include "sinks/file_io.hpp"
#include "sinks/row_search.hpp"

namespace codecarbon {

/// Copies a file of `size` bytes to where `to`, an empty file, stands; without the rows that answer
/// to `key`, of which `first` is the first. Reads the file once: what was just searched is copied
/// while it is at hand. Afterwards `to` stands at its end.
OrErrno<void> copy_without_rows(int from, std::uint64_t size, const RowKey& key, ByteRange first,
                                int to, const FileCalls& calls);

}  // namespace codecarbon
