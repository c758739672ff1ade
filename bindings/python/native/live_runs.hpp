#pragma once

#include <memory>

#include "tracker/run.hpp"

namespace codecarbon::python {

/// The runs of this process that are to be finished before the interpreter ends: afterwards their
/// handlers can no longer be called. Thread-safe, also across a fork: the child begins with the
/// same list, whose runs are not its own and do nothing when finished.
void remember_run(const std::shared_ptr<Run>& run);
void forget_run(const Run* run);

/// Finishes all that are remembered, and closes the engine's way to Python. The interpreter lock
/// must not be held.
void finish_remembered_runs();

}  // namespace codecarbon::python
