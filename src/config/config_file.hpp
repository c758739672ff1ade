#pragma once

#include <map>
#include <string>
#include <string_view>

#include "codecarbon/error.hpp"

namespace codecarbon {

/// A value in a configuration file and the line it stands on, counted from 1.
struct FileValue {
  std::string text;
  int line = 0;
};

/// Keys are in lower case.
using FileValues = std::map<std::string, FileValue, std::less<>>;

/// The section `[codecarbon]` of an INI file's content; other sections are skipped.
///
/// As in the files of Python's configparser: `key = value` or `key: value`, keys in any case,
/// comments on lines of their own that begin with '#' or ';'. A value is the rest of its line
/// without the blanks around it, of any length and with every character ordinary ('%', ';', '=').
/// Pure. Fails, naming `file` and the line, on a line that is none of these, on a key before the
/// first section, and on a key that is given twice.
Result<FileValues> parse_config_file(std::string_view content, std::string_view file);

}  // namespace codecarbon
