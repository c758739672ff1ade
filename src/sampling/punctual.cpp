#include "sampling/punctual.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

namespace codecarbon {
namespace {

/// Periods this short are kept only by a thread that the scheduler prefers.
constexpr Duration kRealTimeBelow = std::chrono::milliseconds(10);

}  // namespace

bool make_punctual(Duration period) {
  ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  if (period > kRealTimeBelow) return true;
  sched_param priority{};
  priority.sched_priority = ::sched_get_priority_min(SCHED_FIFO);
  return ::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &priority) == 0;
}

}  // namespace codecarbon
