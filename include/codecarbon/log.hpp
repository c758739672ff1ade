#pragma once
/// \file
/// The library never prints. What it has to say goes through one hook that the host program gives.

#include <functional>
#include <string_view>

namespace codecarbon {

/// Ordered: a hook that is set to a level hears it and everything above it.
enum class LogLevel { debug, info, warning, error, critical };

/// Called with one complete line, without a line end. May be called from several threads at
/// once, never while a lock of the library is held. Must not throw.
using LogHook = std::function<void(LogLevel, std::string_view)>;

}  // namespace codecarbon
