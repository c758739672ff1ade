#include "gil.hpp"

#include <Python.h>
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace codecarbon::python {
namespace {

/// The interpreter's state of a thread that a call from Python is under way on, while the lock is
/// given up.
thread_local PyThreadState* released = nullptr;
thread_local std::exception_ptr pending;
thread_local int engine_depth = 0;

/// Atomics and no mutex: a fork may come at any moment, and the child must not find a lock held.
std::atomic<int> passes = 0;
std::atomic<bool> gate_closed = false;

constexpr auto kLongestWait = std::chrono::seconds(2);
constexpr auto kLook = std::chrono::milliseconds(1);

/// A yes-or-no function of every interpreter that the stable ABI of 3.12 leaves out.
using Question = int (*)();
Question find_question(const char* name) {
  return reinterpret_cast<Question>(::dlsym(RTLD_DEFAULT, name));
}

bool is_interpreter_ending() {
  static const Question question = [] {
    const Question found = find_question("Py_IsFinalizing");  // its name since 3.13
    return found != nullptr ? found : find_question("_Py_IsFinalizing");
  }();
  return question != nullptr && question() != 0;
}

/// The threads that had passes stayed in the parent.
[[maybe_unused]] const int forks_watched = ::pthread_atfork(nullptr, nullptr, [] { passes = 0; });

}  // namespace

void sleep_until_process_ends() {
  while (true) ::pause();
}

bool holds_lock() {
  static const Question question = find_question("PyGILState_Check");
  return question != nullptr && question() != 0;
}

Unlocked::Unlocked() {
  released = PyEval_SaveThread();
}

Unlocked::~Unlocked() {
  try {
    PyEval_RestoreThread(std::exchange(released, nullptr));
  } catch (...) {  // an unwinding that is no exception: see sleep_until_process_ends
    sleep_until_process_ends();
  }
}

void raise_pending() {
  if (pending) std::rethrow_exception(std::exchange(pending, nullptr));
}

void keep_pending(std::exception_ptr raised) {
  if (!pending) pending = std::move(raised);
}

std::optional<EnginePass> EnginePass::get() {
  ++passes;
  EnginePass pass;
  // In this order: who closes the gate first closes it and then looks for passes.
  if (gate_closed || Py_IsInitialized() == 0 || is_interpreter_ending()) return std::nullopt;
  return pass;
}

EnginePass::~EnginePass() {
  if (granted_) --passes;
}

void close_engine_gate() {
  gate_closed = true;
  const auto give_up = std::chrono::steady_clock::now() + kLongestWait;
  while (passes > 0 && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(kLook);
  }
}

bool is_engine_gate_closed() {
  return gate_closed;
}

Lock::Lock()
    : within_call_(released != nullptr), pass_(within_call_ ? std::nullopt : EnginePass::get()) {
  try {
    if (within_call_) {
      PyEval_RestoreThread(std::exchange(released, nullptr));
    } else if (pass_) {
      state_ = static_cast<int>(PyGILState_Ensure());
      ++engine_depth;
    }
  } catch (...) {
    sleep_until_process_ends();
  }
}

Lock::~Lock() {
  if (within_call_) {
    released = PyEval_SaveThread();
  } else if (pass_) {
    --engine_depth;
    PyGILState_Release(static_cast<PyGILState_STATE>(state_));
  }
}

bool on_engine_thread() {
  return engine_depth > 0;
}

}  // namespace codecarbon::python
