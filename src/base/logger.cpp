#include "base/logger.hpp"

#include <utility>

namespace codecarbon {

Logger::Logger(LogHook hook, LogLevel level, std::string preamble)
    : hook_(std::move(hook)), level_(level), preamble_(std::move(preamble)) {}

void Logger::log(LogLevel level, std::string_view text) const {
  if (!hears(level)) return;
  if (preamble_.empty()) {
    hook_(level, text);
  } else {
    hook_(level, preamble_ + " " + std::string(text));
  }
}

void Logger::once(LogLevel level, std::string_view key, std::string_view text) const {
  {
    const std::lock_guard lock(mutex_);
    if (!said_.emplace(key).second) return;
  }
  log(level, text);
}

}  // namespace codecarbon
