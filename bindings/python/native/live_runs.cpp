#include "live_runs.hpp"

#include <Python.h>
#include <pthread.h>

#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "gil.hpp"

namespace codecarbon::python {
namespace {

/// Never destroyed: trackers may go after the static objects did.
struct LiveRuns {
  std::mutex mutex;
  std::map<const Run*, std::weak_ptr<Run>> runs;
};
LiveRuns& live() {
  static LiveRuns& runs = *new LiveRuns;
  return runs;
}

/// The child of a fork must not find the mutex held by a thread that it does not have.
[[maybe_unused]] const int forks_watched = ::pthread_atfork(
    [] { live().mutex.lock(); }, [] { live().mutex.unlock(); }, [] { live().mutex.unlock(); });

/// The C library's exit() without a word to the interpreter, from an extension or a handler of MPI.
/// The engine then finishes its runs too, but would wait for threads of its own that wait for the
/// interpreter lock, which this thread may hold.
class ProcessExit {
 public:
  ProcessExit() = default;
  ProcessExit(const ProcessExit&) = delete;
  ProcessExit& operator=(const ProcessExit&) = delete;
  ~ProcessExit() {
    if (is_engine_gate_closed() || Py_IsInitialized() == 0) return;
    std::optional<Unlocked> unlocked;
    if (holds_lock()) unlocked.emplace();
    finish_remembered_runs();
  }
};

}  // namespace

void remember_run(const std::shared_ptr<Run>& run) {
  // Made after the engine's own guard of the exit, so that it goes first.
  static const ProcessExit process_exit;
  const std::lock_guard guard(live().mutex);
  live().runs.emplace(run.get(), run);
}

void forget_run(const Run* run) {
  const std::lock_guard guard(live().mutex);
  live().runs.erase(run);
}

void finish_remembered_runs() {
  std::vector<std::shared_ptr<Run>> alive;
  {
    const std::lock_guard guard(live().mutex);
    for (const auto& [key, run] : live().runs) {
      if (auto held = run.lock()) alive.push_back(std::move(held));
    }
  }
  for (const auto& run : alive) run->finish();
  close_engine_gate();
}

}  // namespace codecarbon::python
