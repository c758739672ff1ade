#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/logger.hpp"
#include "codecarbon/error.hpp"
#include "report/row.hpp"
#include "sinks/csv_layout.hpp"
#include "sinks/file_io.hpp"
#include "sinks/locked_file.hpp"
#include "sinks/open_csv.hpp"
#include "sinks/row_replacer.hpp"
#include "sinks/tail_journal.hpp"

namespace codecarbon {

struct CsvFileSettings {
  std::filesystem::path path;
  std::span<const std::string_view> columns;   ///< of every row, in order; must stay alive
  std::string host_name;                       ///< for the file's name where it cannot be locked
  std::filesystem::path lock_folder = "/tmp";  ///< for the lock then
  FileCalls calls{};
  /// How long a call waits for the lock. Longer than any honest holder needs.
  std::chrono::milliseconds patience = std::chrono::seconds(10);
};

/// Absolute, so that the program may change its folder; as given when nobody knows what it is
/// relative to, because the folder that the program works in was deleted.
std::filesystem::path absolute_or_given(const std::filesystem::path& path);

/// One CSV file that any number of processes and threads write to, each through a CsvFile of its
/// own. Every call locks the file, does all of its work or none of it, and leaves the file whole
/// even if the process is killed half-way. A device (a terminal, /dev/full) is given the header and
/// the rows, and no more. One thread at a time per object.
class CsvFile {
 public:
  CsvFile(CsvFileSettings settings, std::shared_ptr<const Logger> logger);

  /// One more row at the end. Cost independent of the file's length.
  Status append(std::span<const Cell> row);
  /// Makes `row` the only one whose `key_column` holds what it holds in `row`, and the last of the
  /// file. Rows of others keep their text, byte for byte. Cost independent of the file's length
  /// while the row that it replaces is among the last 64 KiB. An empty key is appended.
  Status update(std::span<const Cell> row, std::string_view key_column);
  void set_patience(std::chrono::milliseconds patience) { settings_.patience = patience; }

 private:
  using Note = std::pair<LogLevel, std::string>;
  using Failure = LockedFile::Failure;

  /// `key`: the number of the column that tells which rows to replace; none to append.
  Status put(std::span<const Cell> row, std::optional<std::size_t> key);
  OrErrno<void> put_to_device(std::span<const Cell> row);
  OrErrno<void> put_locked(std::span<const Cell> row, std::optional<std::size_t> key);
  OrErrno<void> begin(OpenCsv& csv, const std::string& row);
  /// The file, locked and mended, with our columns.
  OrErrno<OpenCsv> open();
  tl::expected<LockedFile, Failure> open_locked(LockedFile::Deadline give_up);
  OrErrno<void> move_away();
  OrErrno<void> mend(OpenCsv& csv);
  void switch_to_file_of_host();
  void note(LogLevel level, std::string text) { notes_.emplace_back(level, std::move(text)); }

  CsvFileSettings settings_;
  std::shared_ptr<const Logger> logger_;
  std::filesystem::path path_;       ///< of the file in use
  std::filesystem::path lock_path_;  ///< empty when the file is its own lock
  bool device_begun_ = false;        ///< the header was written to it
  bool looked_at_end_ = false;       ///< for what somebody else may have left half-written
  TailJournal journal_;
  RowReplacer replacer_;
  std::vector<Note> notes_;  ///< said when the file is unlocked again: the hook may do anything
};

}  // namespace codecarbon
