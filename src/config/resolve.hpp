#pragma once

#include <filesystem>

#include "base/logger.hpp"
#include "codecarbon/error.hpp"
#include "codecarbon/options.hpp"
#include "host/environment.hpp"

namespace codecarbon {

/// Fills every field that the keywords left empty: from `CODECARBON_*`, then from
/// `<working_directory>/.codecarbon.config`, then from `$HOME/.codecarbon.config`, then the
/// default. Options without a default may stay empty. Unknown keys in files and environment are
/// ignored, and so is what a stronger source overrides.
///
/// Fails on the first value that is not acceptable, on a configuration file with a line that is not
/// INI, and with missing_file when host_root or output_dir (if it is going to be used) is no folder
/// or machine no readable file; the message says where the value came from. A configuration file
/// that is there and cannot be read is a warning.
Result<Options> resolve_options(const Options& keywords, const Environment& environment,
                                const std::filesystem::path& working_directory,
                                const Logger& logger);

}  // namespace codecarbon
