#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sinks/open_csv.hpp"
#include "sinks/row_search.hpp"
#include "sinks/tail_journal.hpp"

namespace codecarbon {

/// Replaces rows in a locked file. What it remembers from one call to the next are hints; each is
/// checked before it is believed. One thread at a time.
class RowReplacer {
 public:
  /// Takes away all rows that answer to `key` and puts `row` at the end.
  OrErrno<void> replace(OpenCsv& csv, const std::filesystem::path& path, const TailJournal& journal,
                        const RowKey& key, const std::string& row, const FileCalls& calls);

 private:
  OrErrno<std::optional<ByteRange>> first_row(const OpenCsv& csv, const RowKey& key) const;

  std::string searched_key_;    ///< the whole file was once searched for rows of this key
  std::uint64_t last_row_ = 0;  ///< where the row of the last call began
  /// A file that was replaced, until the next call: to free it at once can mean to wait for the
  /// disk.
  Fd retired_;
};

}  // namespace codecarbon
