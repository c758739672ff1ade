#include "process_exit.hpp"

#include <Python.h>

#include <optional>

#include "gil.hpp"
#include "tracker/exit_guard.hpp"

namespace codecarbon::python {
namespace {

/// The engine finishes its runs at exit too, but would wait for threads of its own that wait for
/// the interpreter lock, which this thread may hold.
class ProcessExit {
 public:
  ProcessExit() = default;
  ProcessExit(const ProcessExit&) = delete;
  ProcessExit& operator=(const ProcessExit&) = delete;
  ~ProcessExit() {
    if (is_engine_gate_closed() || Py_IsInitialized() == 0) return;
    std::optional<Unlocked> unlocked;
    if (holds_lock()) unlocked.emplace();
    finish_runs();
  }
};

}  // namespace

void finish_runs() {
  finish_registered();
  close_engine_gate();
}

void finish_at_process_exit() {
  // Made after the engine's own guard of the exit, so that it goes first.
  static const ProcessExit process_exit;
}

}  // namespace codecarbon::python
