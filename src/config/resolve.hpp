#pragma once

#include <filesystem>

#include "base/logger.hpp"
#include "codecarbon/error.hpp"
#include "codecarbon/options.hpp"
#include "host/environment.hpp"

namespace codecarbon {

/// Fills every field that the keywords left empty: from `CODECARBON_*`, then from
/// `<working_directory>/.codecarbon.config`, then from `$HOME/.codecarbon.config`, then the default.
/// Options without a default may stay empty. Unknown keys in files and environment are ignored.
/// Fails on the first value that is not acceptable; the message says where it came from.
Result<Options> resolve_options(const Options& keywords, const Environment& environment,
                                const std::filesystem::path& working_directory,
                                const Logger& logger);

}  // namespace codecarbon
