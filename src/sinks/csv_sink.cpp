#include "sinks/csv_sink.hpp"

#include <unistd.h>

#include <array>
#include <utility>

#include "base/file_name.hpp"
#include "report/row.hpp"
#include "sinks/csv_file.hpp"
#include "sinks/csv_text.hpp"
#include "sinks/file_moves.hpp"
#include "sinks/patient_sink.hpp"

namespace codecarbon {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "unknown-host";
  return file_name_part(name.data());
}

std::span<const std::string_view> columns_of(CsvColumns columns) {
  return columns == CsvColumns::extended ? extended_columns() : standard_columns();
}

std::string encode_tasks(std::span<const TaskReport> tasks) {
  std::string text = encode_csv(task_columns());
  for (const TaskReport& task : tasks) {
    const auto row = encode_task_row(task);
    std::vector<std::string_view> fields;
    for (const Cell& cell : row) fields.emplace_back(cell.value);
    text += encode_csv(fields);
  }
  return text;
}

class CsvSink final : public PatientSink {
 public:
  CsvSink(CsvSettings settings, std::shared_ptr<const Logger> logger)
      : mode_(settings.mode),
        columns_(columns_of(settings.columns)),
        path_(absolute_or_given(settings.file)),
        file_({.path = path_,
               .columns = columns_,
               .host_name = host_name(),
               .patience = kShortPatience},
              std::move(logger)) {}

  std::string_view name() const override { return "csv"; }

  bool replaces() const override { return mode_ == CsvMode::update; }

  void set_patience(std::chrono::milliseconds patience) override { file_.set_patience(patience); }

  Status write(const Report& report) override {
    const auto cells = encode_row(report);
    const auto row = std::span(cells).first(columns_.size());
    return mode_ == CsvMode::update ? file_.update(row, "run_id") : file_.append(row);
  }

  Status write_tasks(std::span<const TaskReport> tasks) override {
    if (tasks.empty()) return {};
    const Report& first = tasks.front().report;
    const auto path = path_.parent_path() / ("emissions_" + file_name_part(first.experiment_name) +
                                             "_" + file_name_part(first.run_id) + ".csv");
    const auto written = replace_content(path, encode_tasks(tasks), FileCalls{});
    if (!written) return io_failure("write the tasks to", path, written.error());
    return {};
  }

 private:
  CsvMode mode_;
  std::span<const std::string_view> columns_;
  std::filesystem::path path_;
  CsvFile file_;
};

}  // namespace

std::unique_ptr<Sink> make_csv_sink(CsvSettings settings, std::shared_ptr<const Logger> logger) {
  return std::make_unique<CsvSink>(std::move(settings), std::move(logger));
}

}  // namespace codecarbon
