#include "signals.hpp"

#include <fmt/core.h>
#include <sys/signalfd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace codecarbon::cli {
namespace {

// What this process does wrong itself ends it at once.
constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
// Held and never read: a write to a closed pipe, or beyond the limit of a file's size, then fails
// as others do, and a write to the terminal from the background goes through, while the
// dispositions that a child inherits stay.
constexpr int kSilenced[] = {SIGPIPE, SIGXFSZ, SIGTTOU};
// They end nothing.
constexpr int kHarmless[] = {SIGTTIN, SIGURG, SIGWINCH};

template <std::size_t count>
void remove(sigset_t& set, const int (&signals)[count]) {
  for (const int signal : signals) sigdelset(&set, signal);
}

sigset_t held() {
  sigset_t set;
  sigfillset(&set);
  remove(set, kFaults);
  remove(set, kHarmless);
  return set;
}

sigset_t heard() {
  sigset_t set = held();
  remove(set, kSilenced);
  return set;
}

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// The processor time of the monitor itself, which it has used up, is no matter of the program's.
bool is_own_limit(const Signal& signal) {
  return signal.number == SIGXCPU && signal.from_kernel;
}

sigset_t ignored_at_start() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (is_ignored(signal)) sigaddset(&set, signal);
  }
  return set;
}

}  // namespace

HeldSignals::HeldSignals() {
  const sigset_t set = held();
  pthread_sigmask(SIG_BLOCK, &set, &original_mask_);
}

void HeldSignals::release() const {
  pthread_sigmask(SIG_SETMASK, &original_mask_, nullptr);
}

Result<SignalInbox> SignalInbox::open() {
  // A parent that ignores SIGCHLD hands that on, and children would vanish without an exit status.
  if (is_ignored(SIGCHLD)) std::signal(SIGCHLD, SIG_DFL);
  const sigset_t set = heard();
  Fd fd(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd) {
    return fail(ErrorKind::io, fmt::format("signals cannot be received: {}",
                                           std::generic_category().message(errno)));
  }
  return SignalInbox(std::move(fd), ignored_at_start());
}

bool SignalInbox::is_unwanted(const Signal& signal) const {
  if (is_own_limit(signal)) return true;
  if (sigismember(&ignored_, signal.number) != 1) return false;
  return signal.number != SIGINT || signal.from_kernel;
}

std::optional<Signal> SignalInbox::next() {
  signalfd_siginfo info{};
  while (::read(fd_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    const Signal signal{static_cast<int>(info.ssi_signo), info.ssi_code == SI_KERNEL};
    if (!is_unwanted(signal)) return signal;
  }
  return std::nullopt;
}

}  // namespace codecarbon::cli
