#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecarbon/report.hpp"

namespace codecarbon {

/// One value of a row under its column's name. Text as it is, numbers in the shortest form that
/// reads back to the same double; missing is the empty text; never NaN or infinity.
struct Cell {
  std::string_view column;
  std::string value;
};

/// The drop-in's 38 columns, in order.
std::span<const std::string_view> standard_columns();
/// The standard columns and, after them, host, rank, job and per component method and bound.
std::span<const std::string_view> extended_columns();
/// The columns of the per-task file: task_name first; no experiment_id, pue, wue.
std::span<const std::string_view> task_columns();

/// One cell per extended column, in order; the standard row is its first 38.
std::vector<Cell> encode_row(const Report& report);
std::vector<Cell> encode_task_row(const TaskReport& task);

/// The report as one JSON object, base units with the unit in the name, for `--summary json` and
/// machine-readable logs. On one line; a task's object begins with its task_name.
std::string to_json(const Report& report);
std::string to_json(const TaskReport& task);

}  // namespace codecarbon
