#pragma once
/// \file
/// Options of this process: from its flags, environment, working directory and home.

#include <string>

#include "codecarbon/error.hpp"
#include "codecarbon/options.hpp"
#include "codecarbon/report.hpp"
#include "config/resolve.hpp"

namespace codecarbon::cli {

/// Where flags come from, for messages.
inline constexpr const char* kCommandLine = "the command line";

/// `keywords` completed from environment, files and defaults, as the tracker will do it.
Result<ResolvedOptions> effective_options(const Options& keywords);

/// Where the rows of this report go; empty when no file is written. `effective` are resolved.
std::string row_file(const Options& effective, const Report& report);

}  // namespace codecarbon::cli
