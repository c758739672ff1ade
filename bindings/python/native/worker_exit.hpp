#pragma once

namespace codecarbon::python {

/// Where this process is a worker of Python's multiprocessing, has it finish all runs at its end:
/// one that was forked ends by _exit, past every other exit handler. To be called when there is a
/// run. The interpreter lock must be held.
void finish_with_worker();

}  // namespace codecarbon::python
