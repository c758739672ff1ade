#pragma once
/// \file
/// Names of places as people write them. Pure.

#include <string>
#include <string_view>

namespace codecarbon::carbon {

/// What two spellings of one name have in common: no blanks at the ends, single blanks within, '_'
/// as a blank, lower case, and Latin letters (UTF-8) without their accents: "  QUÉBEC " is
/// "quebec". Other bytes stay as they are.
std::string folded(std::string_view text);

}  // namespace codecarbon::carbon
