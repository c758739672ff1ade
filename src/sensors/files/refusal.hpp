#pragma once

#include <string_view>

#include "host/host.hpp"
#include "readings/reading.hpp"
#include "sensors/files/number_file.hpp"

namespace codecarbon {

/// True when the file is there, but not for this user.
bool is_denied(const Host& host, std::string_view path);

/// In words for a person, about "it", the file.
std::string_view why_not(ReadFault fault);

/// The first reading of a file. One that a program rewrites is empty for a moment and is read a few
/// times; a real one answers at once or never.
tl::expected<std::int64_t, ReadFault> first_reading(NumberFile& file);

}  // namespace codecarbon
