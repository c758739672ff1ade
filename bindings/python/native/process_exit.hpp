#pragma once

namespace codecarbon::python {

/// Finishes all runs of this process, and closes the engine's way to Python: afterwards no handler
/// can be called any more. The interpreter lock must not be held.
void finish_runs();

/// Has the C library's exit() finish them too, where it is called without a word to the
/// interpreter: by an extension, or a handler of MPI. To be called once the engine has registered a
/// run.
void finish_at_process_exit();

}  // namespace codecarbon::python
