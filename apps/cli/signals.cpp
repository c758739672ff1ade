#include "signals.hpp"

#include <fmt/core.h>
#include <sys/signalfd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace codecarbon::cli {
namespace {

constexpr int kHeard[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1,
                          SIGUSR2, SIGCHLD, SIGTSTP, SIGCONT};
// Blocked and never read: a write to a closed pipe then fails with EPIPE, and a write to the
// terminal from the background goes through, while the dispositions that a child inherits stay.
constexpr int kSilenced[] = {SIGPIPE, SIGTTOU};

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Result<SignalInbox> SignalInbox::open() {
  // A parent that ignores SIGCHLD hands that on, and children would vanish without an exit status.
  if (is_ignored(SIGCHLD)) std::signal(SIGCHLD, SIG_DFL);
  sigset_t heard;
  sigset_t ignored;
  sigemptyset(&heard);
  sigemptyset(&ignored);
  for (const int signal : kHeard) {
    sigaddset(&heard, signal);
    if (is_ignored(signal)) sigaddset(&ignored, signal);
  }
  sigset_t blocked = heard;
  for (const int signal : kSilenced) sigaddset(&blocked, signal);
  sigset_t original;
  pthread_sigmask(SIG_BLOCK, &blocked, &original);
  Fd fd(signalfd(-1, &heard, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd) {
    return fail(ErrorKind::io, fmt::format("signals cannot be received: {}",
                                           std::generic_category().message(errno)));
  }
  return SignalInbox(std::move(fd), original, ignored);
}

bool SignalInbox::is_unwanted(const Signal& signal) const {
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
