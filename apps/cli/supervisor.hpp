#pragma once

#include <functional>
#include <optional>

#include "child_process.hpp"
#include "codecarbon/clock.hpp"
#include "signals.hpp"

namespace codecarbon::cli {

/// What happens while the supervisor waits.
struct Supervision {
  ChildProcess* child = nullptr;   ///< none: waits for a signal that means the end
  std::function<void()> on_flush;  ///< at SIGUSR1
  std::function<void()> on_tick;   ///< once a second; empty: no wake-ups
};

/// Waits until the child has ended and returns its exit code or, without a child, until a signal
/// ends the wait (kExitDone). Signals are passed on to the child, except SIGUSR1 and those
/// that the terminal sent to both. One thread.
int supervise(SignalInbox& inbox, const Supervision& supervision);

}  // namespace codecarbon::cli
