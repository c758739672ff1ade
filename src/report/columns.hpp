#pragma once

#include <span>
#include <string>
#include <string_view>

#include "codecarbon/report.hpp"

namespace codecarbon {

/// One column of the rows: what it is called, what it means and how it is made from a report. The
/// names, the rows and docs/columns.md all follow from the one table of them.
struct Column {
  std::string_view name;
  std::string_view unit;     ///< "kWh", "s", "text" ...
  std::string_view meaning;  ///< one line for a person
  std::string (*encode)(const Report&);
  bool in_tasks = true;  ///< whether the per-task file has it (of the standard columns)
};

/// How many columns the drop-in's row has.
inline constexpr std::size_t kStandardColumns = 38;

/// The standard columns and, after them, those of `csv_columns=extended`, in the order of a row.
std::span<const Column> all_columns();

}  // namespace codecarbon
