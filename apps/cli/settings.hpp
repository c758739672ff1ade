#pragma once
/// \file
/// Options of this process: from its flags, environment, working directory and home.

#include <string>
#include <vector>

#include "codecarbon/error.hpp"
#include "codecarbon/options.hpp"
#include "config/sources.hpp"

namespace codecarbon::cli {

/// Where flags come from, for messages.
inline constexpr const char* kCommandLine = "the command line";

/// `keywords` completed from environment, files and defaults, as the tracker will do it.
Result<Options> effective_options(const Options& keywords);

/// What environment, files and defaults say, the strongest first.
Result<std::vector<Source>> option_sources();

/// Where the rows go; empty when no file is written. `effective` as from effective_options.
std::string row_file(const Options& effective);

}  // namespace codecarbon::cli
