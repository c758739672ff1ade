#pragma once

#include <optional>
#include <string>

#include "codecarbon/report.hpp"
#include "command.hpp"

namespace codecarbon::cli {

enum class SummaryFormat { text, json, none };

/// "text", "json" or "none"; nothing for any other word.
std::optional<SummaryFormat> parse_summary_format(std::string_view word);

/// What `monitor` knows about the run beyond the report.
struct RunOutcome {
  Words program;                 ///< empty: none was run
  std::optional<int> exit_code;  ///< of the program
  std::string row_file;          ///< where the row was written; empty: nowhere
};

/// The report of a run, complete with its last line end; empty for `none`. Pure.
std::string render_summary(SummaryFormat format, const Report& report, const RunOutcome& outcome);

}  // namespace codecarbon::cli
