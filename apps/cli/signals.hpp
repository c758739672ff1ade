#pragma once

#include <csignal>
#include <optional>

#include "base/fd.hpp"
#include "codecarbon/error.hpp"

namespace codecarbon::cli {

struct Signal {
  int number = 0;
  bool from_kernel = false;  ///< the terminal's own: it went to the whole foreground group
};

/// The signals that `monitor` answers to, read from a descriptor in place of handlers. Opening one
/// blocks them in this thread and in all threads started later, for the rest of the process; open
/// it before any thread starts. Signals that were ignored at the start (nohup, a background job)
/// stay so, except an interrupt sent on purpose by another process. One thread at a time.
class SignalInbox {
 public:
  static Result<SignalInbox> open();

  /// Becomes readable when a signal is there.
  int fd() const { return fd_.get(); }
  /// The next signal, or nothing when there is none now.
  std::optional<Signal> next();
  /// What was blocked before: the mask to hand to a child.
  const sigset_t& original_mask() const { return original_mask_; }

 private:
  SignalInbox(Fd fd, const sigset_t& original_mask, const sigset_t& ignored)
      : fd_(std::move(fd)), original_mask_(original_mask), ignored_(ignored) {}
  bool is_unwanted(const Signal& signal) const;

  Fd fd_;
  sigset_t original_mask_;
  sigset_t ignored_;
};

}  // namespace codecarbon::cli
