#pragma once

#include <csignal>
#include <optional>

#include "base/fd.hpp"
#include "codecarbon/error.hpp"

namespace codecarbon::cli {

struct Signal {
  int number = 0;
  bool from_kernel = false;  ///< nobody sent it: for a key, it went to the whole foreground group
};

/// Keeps every signal waiting that could end this process, in this thread and in all threads
/// started later: made first in main, so that one that comes before a run is ready finds it later.
/// The faults of a program (SIGSEGV and the like) are left alone.
class HeldSignals {
 public:
  HeldSignals();

  /// Lets them through again, to do what they do to any program.
  void release() const;
  /// What was blocked before: the mask to hand to a child.
  const sigset_t& original_mask() const { return original_mask_; }

 private:
  sigset_t original_mask_;
};

/// The held signals, read from a descriptor in place of handlers. Signals that were ignored at the
/// start (nohup, a background job) stay so, except an interrupt sent on purpose by another process.
/// One thread at a time.
class SignalInbox {
 public:
  static Result<SignalInbox> open();

  /// Becomes readable when a signal is there.
  int fd() const { return fd_.get(); }
  /// The next signal, or nothing when there is none now.
  std::optional<Signal> next();

 private:
  SignalInbox(Fd fd, const sigset_t& ignored) : fd_(std::move(fd)), ignored_(ignored) {}
  bool is_unwanted(const Signal& signal) const;

  Fd fd_;
  sigset_t ignored_;
};

}  // namespace codecarbon::cli
