#pragma once

#include <filesystem>
#include <memory>

#include "base/logger.hpp"
#include "codecarbon/csv.hpp"
#include "codecarbon/sink.hpp"

namespace codecarbon {

struct CsvSettings {
  std::filesystem::path file;  ///< of the rows; the per-task file goes beside it
  CsvMode mode = CsvMode::append;
  CsvColumns columns = CsvColumns::standard;
};

/// Rows in one CSV file that any number of processes and threads may share.
std::unique_ptr<Sink> make_csv_sink(CsvSettings settings, std::shared_ptr<const Logger> logger);

}  // namespace codecarbon
