#pragma once

#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "codecarbon/log.hpp"

namespace codecarbon {

/// The one way this library says something: filters by level, adds the preamble and calls the hook
/// (which may be empty: then nothing is said). Thread-safe.
class Logger {
 public:
  Logger() = default;
  Logger(LogHook hook, LogLevel level, std::string preamble = {});

  void log(LogLevel level, std::string_view text) const;
  /// Says `text` only the first time that `key` is seen by this logger: trouble that repeats at
  /// every sample is one line.
  void once(LogLevel level, std::string_view key, std::string_view text) const;

  bool hears(LogLevel level) const { return hook_ && level >= level_; }

 private:
  LogHook hook_;
  LogLevel level_ = LogLevel::info;
  std::string preamble_;
  mutable std::mutex mutex_;
  mutable std::set<std::string, std::less<>> said_;
};

}  // namespace codecarbon
