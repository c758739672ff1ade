#include "sensors/process/task_clock.hpp"

#include <dirent.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <utility>

namespace codecarbon::process {
namespace {

perf_event_attr task_clock() {
  perf_event_attr event{};
  event.size = sizeof event;
  event.type = PERF_TYPE_SOFTWARE;
  event.config = PERF_COUNT_SW_TASK_CLOCK;
  event.inherit = 1;
  // Asking for the kernel's part is refused to most; this clock has it all the same.
  event.exclude_kernel = 1;
  event.exclude_hv = 1;
  return event;
}

Fd open_event(perf_event_attr event, int thread) {
  constexpr int kAnyProcessor = -1;
  constexpr int kNoGroup = -1;
  return Fd(static_cast<int>(::syscall(SYS_perf_event_open, &event, thread, kAnyProcessor, kNoGroup,
                                       PERF_FLAG_FD_CLOEXEC)));
}

std::vector<int> own_threads() {
  struct Close {
    void operator()(DIR* folder) const { ::closedir(folder); }
  };
  std::vector<int> threads;
  const std::unique_ptr<DIR, Close> folder(::opendir("/proc/self/task"));
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr) {
    if (const int thread = std::atoi(entry->d_name); thread > 0) threads.push_back(thread);
  }
  return threads;
}

/// CPU time of all threads of this process, ended ones included.
Duration own_cpu_time() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace

tl::expected<TaskClock, int> TaskClock::open(TrackedProcesses tracked) {
  std::vector<Fd> events;
  // Descendants that inherit an event asleep, to wake when they run another program, do not all
  // wake: so the children's time is everybody's less that of this process.
  const auto without =
      tracked == TrackedProcesses::children ? std::optional(own_cpu_time()) : std::nullopt;
  for (const int thread : own_threads()) {
    Fd event = open_event(task_clock(), thread);
    if (!event && errno == ESRCH) continue;  // ended meanwhile
    if (!event) return tl::unexpected<int>(errno);
    events.push_back(std::move(event));
  }
  if (events.empty()) return tl::unexpected<int>(ENOENT);
  return TaskClock(std::move(events), without);
}

std::optional<Duration> TaskClock::read() const {
  std::uint64_t sum = 0;
  for (const Fd& event : events_) {
    std::uint64_t time_ns = 0;
    if (::read(event.get(), &time_ns, sizeof time_ns) != sizeof time_ns) return std::nullopt;
    sum += time_ns;
  }
  const Duration all(static_cast<std::int64_t>(sum));
  if (!own_at_start_) return all;
  return std::max(Duration::zero(), all - (own_cpu_time() - *own_at_start_));
}

}  // namespace codecarbon::process
