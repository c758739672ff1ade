#pragma once

#include <csignal>
#include <optional>
#include <string>

#include "codecarbon/error.hpp"
#include "codecarbon/options.hpp"
#include "command.hpp"
#include "summary.hpp"

namespace codecarbon::cli {

/// One run of `monitor`, all flags understood.
struct MonitorPlan {
  Words program;      ///< empty: the machine, until a signal ends it
  Options keywords;   ///< what the flags said
  Options effective;  ///< completed from environment, files and defaults
  SummaryFormat summary = SummaryFormat::text;
  std::string summary_file;  ///< empty: standard error
  /// A live line, if standard error is a terminal; missing: only without a program, which would
  /// find its own unfinished lines drawn over.
  std::optional<bool> progress;
  std::string remark;       ///< a warning about what was asked for; empty: none
  sigset_t program_mask{};  ///< the signals that the program starts with blocked
};

/// Measures from just before the program starts until it has ended; writes row and summary, and
/// returns the program's exit code. For a program that cannot be run it says so, writes neither,
/// and returns the code that a shell gives or, where only the attempt showed it, ends the process
/// with it. An Error is bad input, found before anything was written. Signals are held
/// (HeldSignals) before and after.
Result<int> run_monitor(const MonitorPlan& plan);

}  // namespace codecarbon::cli
