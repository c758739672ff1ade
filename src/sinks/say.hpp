#pragma once

#include <string_view>

#include "base/logger.hpp"

namespace codecarbon {

/// Logs. What the hook throws goes no further: it must not undo what was done.
inline void say(const Logger& logger, LogLevel level, std::string_view text) noexcept {
  try {
    logger.log(level, text);
  } catch (...) {  // there is nobody to tell
  }
}

}  // namespace codecarbon
