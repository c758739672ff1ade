#include "supervisor.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace codecarbon::cli {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::seconds kTick{1};

class Supervisor {
 public:
  Supervisor(SignalInbox& inbox, const Supervision& supervision)
      : inbox_(inbox), supervision_(supervision), next_tick_(SteadyClock::now() + kTick) {}

  int run() {
    while (!exit_code_) {
      wait();
      while (const auto signal = inbox_.next()) take(*signal);
      tick_if_due();
    }
    return *exit_code_;
  }

 private:
  void wait() const {
    pollfd inbox{inbox_.fd(), POLLIN, 0};
    poll(&inbox, 1, timeout_ms());
  }

  int timeout_ms() const {
    if (!supervision_.on_tick) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next_tick_ - SteadyClock::now());
    return static_cast<int>(std::max<std::int64_t>(0, left.count()));
  }

  // Deadlines are absolute; those that were slept through (a stopped job) are passed over.
  void tick_if_due() {
    if (!supervision_.on_tick || exit_code_ || SteadyClock::now() < next_tick_) return;
    supervision_.on_tick();
    next_tick_ = std::max(next_tick_ + kTick, SteadyClock::now());
  }

  void take(const Signal& signal) {
    switch (signal.number) {
      case SIGUSR1:
        supervision_.on_flush();
        break;
      case SIGCHLD:
        note_exit();
        break;
      case SIGTSTP:
        suspend(signal);
        break;
      case SIGINT:
      case SIGQUIT:
        if (!supervision_.child || !signal.from_kernel) pass_on(signal);
        break;
      default:
        pass_on(signal);
        break;
    }
  }

  void note_exit() {
    if (supervision_.child) exit_code_ = supervision_.child->poll_exit();
  }

  // The terminal stops the child itself; so that the shell sees the whole job stopped, this process
  // stops too: by the same signal, which the kernel drops where nobody could continue the job.
  void suspend(const Signal& signal) const {
    if (supervision_.child && !signal.from_kernel) supervision_.child->send(SIGTSTP);
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    raise(SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &stop, nullptr);
    pthread_sigmask(SIG_BLOCK, &stop, nullptr);
  }

  void pass_on(const Signal& signal) {
    if (supervision_.child) {
      supervision_.child->send(signal.number);
    } else if (signal.number != SIGCONT && signal.number != SIGUSR2) {
      exit_code_ = kExitDone;
    }
  }

  SignalInbox& inbox_;
  const Supervision& supervision_;
  SteadyClock::time_point next_tick_;
  std::optional<int> exit_code_;
};

}  // namespace

int supervise(SignalInbox& inbox, const Supervision& supervision) {
  return Supervisor(inbox, supervision).run();
}

}  // namespace codecarbon::cli
