#include "sampling/watchdog.hpp"

#include <pthread.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <system_error>
#include <utility>

#include "base/signals_blocked.hpp"

namespace codecarbon {
namespace {

/// Zero: never.
void set(const Fd& timer, Duration wait) {
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(wait);
  itimerspec when{};
  when.it_value.tv_sec = static_cast<time_t>(whole.count());
  when.it_value.tv_nsec = static_cast<long>((wait - whole).count());
  ::timerfd_settime(timer.get(), 0, &when, nullptr);
}

}  // namespace

Watchdog::Watchdog(std::function<void()> bark) : bark_(std::move(bark)) {}

Watchdog::~Watchdog() {
  if (!thread_.joinable()) return;
  quit_ = true;
  set(timer_, Duration(1));
  thread_.join();
}

void Watchdog::bark_in(Duration wait) {
  if (is_awake()) set(timer_, std::max(wait, Duration(1)));
}

void Watchdog::be_quiet() {
  if (thread_.joinable()) set(timer_, Duration{});
}

bool Watchdog::is_awake() {
  if (thread_.joinable()) return true;
  if (!timer_) timer_ = Fd(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
  if (!timer_) return false;
  const SignalsBlocked blocked;
  try {
    thread_ = std::thread([this] { loop(); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

void Watchdog::loop() {
  ::pthread_setname_np(::pthread_self(), "codecarbon-dog");
  while (true) {
    std::uint64_t times = 0;
    const bool fired = ::read(timer_.get(), &times, sizeof times) == sizeof times;
    if (quit_) return;
    if (fired) bark_();
  }
}

}  // namespace codecarbon
