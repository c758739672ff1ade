#pragma once
/// \file
/// How native code and the interpreter take turns. Every call from Python gives the interpreter
/// lock up for as long as the engine works; what the engine has to say to Python takes it again, on
/// whatever thread, and only while no lock of ours is held.

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace codecarbon::python {

/// True when this thread holds the interpreter lock.
bool holds_lock();

/// Gives the lock, which must be held, up for a scope.
class Unlocked {
 public:
  Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
  /// Takes it back. In an interpreter that has begun to end, a thread that is not the ending one
  /// gets no lock any more: then this does not return.
  ~Unlocked();
};

/// Throws, once, what a handler raised on this thread that is no ordinary error: the user's Ctrl-C
/// in a handler must reach the user's code.
void raise_pending();

/// Runs `work` with the lock given up, and gives back what it returns. Throws what `work` throws,
/// or what a handler left for `raise_pending`.
template <class Work>
auto without_lock(const Work& work) {
  const auto run = [&] {
    const Unlocked unlocked;
    return work();
  };
  if constexpr (std::is_void_v<std::invoke_result_t<const Work&>>) {
    run();
    raise_pending();
  } else {
    auto result = run();
    raise_pending();
    return result;
  }
}

/// Leave for a thread of the engine to use the interpreter. None is given once the interpreter is
/// about to end.
class EnginePass {
 public:
  /// Nothing when it is refused.
  static std::optional<EnginePass> get();
  EnginePass(EnginePass&& other) noexcept : granted_(std::exchange(other.granted_, false)) {}
  EnginePass& operator=(EnginePass&&) = delete;
  ~EnginePass();

 private:
  EnginePass() = default;
  bool granted_ = true;
};

/// The lock for a scope, on a thread of the engine or within `without_lock`. It may not be had:
/// when there is no interpreter, or it ends and this thread is the engine's own. Then nothing of
/// Python may be touched, and nobody is left to be told.
class Lock {
 public:
  Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock();

  explicit operator bool() const { return within_call_ || pass_.has_value(); }
  /// True when a call from Python is under way on this thread.
  bool within_call() const { return within_call_; }

 private:
  bool within_call_;
  std::optional<EnginePass> pass_;
  int state_ = 0;
};

/// True on a thread of the engine while it runs Python code.
bool on_engine_thread();

/// To be called in the catch clause of what a handler raised, with the lock held.
void keep_pending(std::exception_ptr raised);

/// For a thread whose interpreter ended under it. Python (before 3.14) ends such a thread by
/// unwinding its stack, which ends the process as soon as a frame forbids that, and those between
/// Python and C++ do. So it sleeps until the process is gone.
[[noreturn]] void sleep_until_process_ends();

/// Refuses every EnginePass from now on. Waits for those in use, a few seconds at most: a handler
/// that never returns is not to keep the process alive.
void close_engine_gate();
bool is_engine_gate_closed();

}  // namespace codecarbon::python
