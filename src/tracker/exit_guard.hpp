#pragma once

#include <memory>

namespace codecarbon {

/// Something that wants to be finished when the process exits normally.
class Finishable {
 public:
  virtual ~Finishable() = default;
  /// Called at most once, from the thread that exits. Must not throw.
  virtual void finish() = 0;
};

/// Finishes, at normal process exit (return from main or exit(), not _exit or a signal), whatever
/// is registered and still alive. Uses no signal handler. Thread-safe.
void finish_at_exit(std::weak_ptr<Finishable> item);

/// The same now, for an exit that comes in steps. What is registered later is finished later.
void finish_registered();

}  // namespace codecarbon
