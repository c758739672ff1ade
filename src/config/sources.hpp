#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

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
/// file of the home directory, defaults. A text that is empty or blank counts as not set, as
/// in `CODECARBON_PUE= program`, and a file that is not there says nothing. Fails on a file that
/// cannot be read, is larger than 1 MiB or is not INI.
Result<std::vector<Source>> gather_sources(const Environment& environment,
                                           const std::filesystem::path& working_directory);

}  // namespace codecarbon
