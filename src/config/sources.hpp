#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/logger.hpp"
#include "codecarbon/error.hpp"
#include "host/environment.hpp"

namespace codecarbon {

/// A text that somebody gave for an option, and where, in words for a message.
struct Found {
  std::string text;
  std::string origin;
};

/// What one source says, by the name of the option; may hold names that are no options.
using Source = std::map<std::string, Found, std::less<>>;

/// All sources below the keywords, the strongest first: environment, file of the working directory,
/// file of the home directory, defaults. A file that is not there says nothing; one that cannot be
/// read is a warning. Fails on a file that is not INI.
Result<std::vector<Source>> gather_sources(const Environment& environment,
                                           const std::filesystem::path& working_directory,
                                           const Logger& logger);

}  // namespace codecarbon
