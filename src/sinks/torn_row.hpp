#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace codecarbon {

/// Where a half-written last row begins: after the last complete row of `text`, which is the end of
/// a file. Missing when the last row is complete, be it without its line end, or when no
/// complete row is in sight.
std::optional<std::size_t> torn_row(std::string_view text, std::size_t field_count);

/// Whether `text`, which begins with a row, ends inside a quoted field.
bool is_open_text(std::string_view text);

}  // namespace codecarbon
