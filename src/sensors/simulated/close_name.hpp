#pragma once

#include <span>
#include <string_view>

namespace codecarbon::simulated {

/// The name that somebody who wrote `wrong` most likely meant: within two slips of it and fewer
/// than half its letters. Empty if there is none.
std::string_view close_name(std::string_view wrong, std::span<const std::string_view> names);

}  // namespace codecarbon::simulated
