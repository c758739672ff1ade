#pragma once
/// \file
/// How rows are written to a CSV file.

namespace codecarbon {

/// `append`: one more row every time. `update`: one row per run_id, replaced. Writers hold the
/// file's flock; a reader that does not take it may see an update half done, never an append.
enum class CsvMode { append, update };

/// `standard`: the 38 columns of the Python package. `extended`: these and, after them, host, rank,
/// job, and how each figure was obtained.
enum class CsvColumns { standard, extended };

}  // namespace codecarbon
