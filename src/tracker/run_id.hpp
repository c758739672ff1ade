#pragma once

#include <string>

namespace codecarbon {

/// A random UUID (version 4, RFC 9562), as lower-case text.
std::string make_run_id();

}  // namespace codecarbon
