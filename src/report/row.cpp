#include "report/row.hpp"

#include "report/columns.hpp"

namespace codecarbon {
namespace {

std::vector<std::string_view> names_of_all() {
  std::vector<std::string_view> names;
  for (const Column& column : all_columns()) names.push_back(column.name);
  return names;
}

std::vector<std::string_view> names_of_tasks() {
  std::vector<std::string_view> names{"task_name"};
  for (const Column& column : all_columns().first(kStandardColumns)) {
    if (column.in_tasks) names.push_back(column.name);
  }
  return names;
}

}  // namespace

std::span<const std::string_view> standard_columns() {
  return extended_columns().first(kStandardColumns);
}

// The lists below are never destroyed: a tracker that is finished at exit still writes its row.

std::span<const std::string_view> extended_columns() {
  static const auto& names = *new std::vector<std::string_view>(names_of_all());
  return names;
}

std::span<const std::string_view> task_columns() {
  static const auto& names = *new std::vector<std::string_view>(names_of_tasks());
  return names;
}

std::vector<Cell> encode_row(const Report& report) {
  std::vector<Cell> cells;
  cells.reserve(all_columns().size());
  for (const Column& column : all_columns()) cells.push_back({column.name, column.encode(report)});
  return cells;
}

std::vector<Cell> encode_task_row(const TaskReport& task) {
  std::vector<Cell> cells{{"task_name", task.task_name}};
  for (const Column& column : all_columns().first(kStandardColumns)) {
    if (column.in_tasks) cells.push_back({column.name, column.encode(task.report)});
  }
  return cells;
}

}  // namespace codecarbon
