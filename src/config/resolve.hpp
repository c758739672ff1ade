#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "codecarbon/error.hpp"
#include "codecarbon/options.hpp"
#include "host/environment.hpp"

namespace codecarbon {

/// Options with every field settled that has a value, and where each value came from, in words for
/// a message: "environment CODECARBON_PUE".
struct ResolvedOptions {
  Options options;
  std::map<std::string_view, std::string, std::less<>> origins;

  /// `error` with where the value of the option that it is about came from, if that is known. For
  /// errors of those who only know the value.
  Error with_origin(Error error) const;
};

/// Fills every field that the keywords left empty: from `CODECARBON_*`, then from
/// `<working_directory>/.codecarbon.config`, then from `$HOME/.codecarbon.config`, then the
/// default. Options without a default may stay empty. Unknown keys in files and environment are
/// ignored, and so is what a stronger source overrides.
///
/// Fails on the first value that is not acceptable, on a rank that is not below world_size, on a
/// configuration file with a line that is not
/// INI, with missing_file when host_root or the folder of the CSV file (if one is going to be
/// written) is no folder or machine no readable file, and with io when a configuration file is
/// there and cannot be read; the message says where the value came from. `keywords_origin` says
/// where the keywords came from, for messages.
Result<ResolvedOptions> resolve_options(const Options& keywords, const Environment& environment,
                                        const std::filesystem::path& working_directory,
                                        std::string_view keywords_origin = "keyword");

}  // namespace codecarbon
