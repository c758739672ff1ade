#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Text that people write and read. Pure.

namespace codecarbon {

/// Without the blanks (space, tab, CR, LF, FF, VT) at both ends.
std::string_view trimmed(std::string_view text);

/// Takes off `text` what stands before the first `end`, and `end` itself: all of it where there is
/// none. `take_until(text, '\n')` takes a line.
std::string_view take_until(std::string_view& text, char end);

/// ASCII letters in lower or upper case, other bytes as they are.
std::string lower(std::string_view text);
std::string upper(std::string_view text);

bool is_utf8(std::string_view text);

/// `text` in double quotes, fit for one line of a message: bytes that are not printable are shown
/// as \xHH, and what is longer than a message should be is cut and ends in "...".
std::string in_quotes(std::string_view text);

/// The fewest slips that make `a` into `b`: one letter put in, left out, changed, or swapped with
/// its neighbour. Takes time in proportion to the product of both lengths.
std::size_t slips(std::string_view a, std::string_view b);

/// The one of `candidates` that `text` most likely means: equal but for case, or a typing error or
/// two away. Nothing when none is near.
std::optional<std::string_view> closest(std::string_view text,
                                        std::span<const std::string_view> candidates);

}  // namespace codecarbon
