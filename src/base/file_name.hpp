#pragma once

#include <string>
#include <string_view>

namespace codecarbon {

/// Any text, fit to be a part of a file's name: no path, no control characters, at most 100 bytes,
/// and whole characters where it is UTF-8.
std::string file_name_part(std::string_view text);

}  // namespace codecarbon
