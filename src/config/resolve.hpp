#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "base/logger.hpp"
#include "codecarbon/error.hpp"
#include "codecarbon/options.hpp"
#include "host/environment.hpp"

namespace codecarbon {

/// Options with every field settled that has a value, and where each value came from, in words for
/// a message: "environment CODECARBON_PUE".
struct ResolvedOptions {
  Options options;
  std::map<std::string_view, std::string> origins;
};

/// Fills every field that the keywords left empty: from `CODECARBON_*`, then from
/// `<working_directory>/.codecarbon.config`, then from `$HOME/.codecarbon.config`, then the
/// default. Options without a default may stay empty. Unknown keys in files and environment are
/// ignored, and so is what a stronger source overrides.
///
/// Fails on the first value that is not acceptable, on a configuration file with a line that is not
/// INI, and with missing_file when host_root or output_dir (if it is going to be used) is no folder
/// or machine no readable file; the message says where the value came from. A configuration file
/// that is there and cannot be read is a warning.
/// `keywords_origin` says where the keywords came from, for messages.
Result<ResolvedOptions> resolve_options(const Options& keywords, const Environment& environment,
                                        const std::filesystem::path& working_directory,
                                        const Logger& logger,
                                        std::string_view keywords_origin = "keyword");

}  // namespace codecarbon
