#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sinks/csv_layout.hpp"
#include "sinks/locked_file.hpp"

namespace codecarbon {

/// A CSV file under its lock, and what was found out about it.
struct OpenCsv {
  LockedFile file;
  CsvLayout layout;
  std::uint64_t size = 0;
  std::uint64_t first_row = 0;  ///< where the rows begin; 0 when the file has no header yet
};

/// Looks at the end of the file and takes away a row that a process left half-written when it was
/// killed; returns what was taken.
///
/// Such a row is known by where it ends. The kernel copies a write page by page and looks for fatal
/// signals in between, so a write that was cut by one ends at a multiple of the page size; nobody
/// was told that it was written. Anywhere else a missing line end is somebody's editor, and the row
/// is good, unless it ends inside a quoted field, which would swallow the next row. A row that has
/// all its fields is good wherever it ends.
///
/// A text that was cut right after a line end of its own looks whole. To see that too costs a look
/// at the last 64 KiB: `thorough`.
OrErrno<std::optional<std::string>> drop_torn_row(OpenCsv& csv, bool thorough);

/// Appends `text`, after the line end that the last row may lack; all of it or, when that fails,
/// nothing.
OrErrno<void> append_text(OpenCsv& csv, std::string text, const FileCalls& calls);

}  // namespace codecarbon
