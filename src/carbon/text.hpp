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

/// True when one letter put in, left out, changed, or swapped with its neighbour makes `a` into
/// `b`.
bool one_typo_apart(std::string_view a, std::string_view b);

/// `text` in double quotes, fit for one line of a message: control characters are shown as '?', and
/// what is longer than a message should be is cut and ends in "...".
std::string in_quotes(std::string_view text);

}  // namespace codecarbon::carbon
