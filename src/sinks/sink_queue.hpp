#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/logger.hpp"
#include "codecarbon/sink.hpp"
#include "sinks/sink_lane.hpp"

namespace codecarbon {

/// Brings reports to sinks, in order, without a thread of its own: who submits also writes, unless
/// another thread is at that sink already, which then writes this report too. So nobody waits for
/// another thread's I/O unless asked to, no sink is called by two threads at once, and a sink that
/// takes its time holds up no other. What a sink could not take is kept and tried again before its
/// next report, and so is what comes while a sink does not return, each up to `backlog_limit`
/// items; trouble is logged and goes no further.
/// Thread-safe; sinks may submit from within their calls. In a child after fork every call does
/// nothing.
class SinkQueue {
 public:
  explicit SinkQueue(std::shared_ptr<const Logger> logger, std::size_t backlog_limit = 1000,
                     std::chrono::milliseconds longest_wait = std::chrono::seconds(2));
  SinkQueue(const SinkQueue&) = delete;
  SinkQueue& operator=(const SinkQueue&) = delete;
  /// Tries what is left once more, as long as `settle` does unless that was called last, and says
  /// what could not be written.
  ~SinkQueue();

  /// The sink gets what is submitted from now on.
  void add(std::shared_ptr<Sink> sink);
  /// Only takes its place in the order and returns at once; `drain` is to follow. For callers that
  /// hold a lock which fixes the order.
  void enqueue(Report report);
  void enqueue_tasks(std::vector<TaskReport> tasks);
  /// For the sinks that want it; see Sink::live_every.
  void enqueue_live(Report report);
  /// See Sink::finish.
  void enqueue_end();
  /// Writes what is enqueued, but for sinks that another thread is at.
  void drain();
  /// The same, and gives other threads up to `longest_wait` to write what they are at.
  void drain_and_wait();
  /// `enqueue`, then `drain`.
  void submit(Report report);
  void submit_tasks(std::vector<TaskReport> tasks);
  /// Tries once more what could not be written, with more patience for other processes, and returns
  /// when all that was submitted before has been tried, by whichever thread; without a sink that
  /// another thread does not come back from within `longest_wait`.
  void settle();
  /// True while another thread has not come back from a sink.
  bool is_in_use();

 private:
  using Patience = std::chrono::milliseconds;
  using Lock = std::unique_lock<std::mutex>;
  /// One sink. Its lane is used without the mutex, by the thread that drains it.
  struct Outlet {
    SinkLane lane;
    std::vector<SinkLane::Item> waiting{};
    int from_within = 0;        ///< items that its sink's own calls have enqueued in this drain
    std::size_t dropped = 0;    ///< of those that waited; not yet said
    std::thread::id drainer{};  ///< no thread's when nobody drains it

    bool is_held_by_another() const;
  };
  using Outlets = std::vector<std::shared_ptr<Outlet>>;

  void enqueue(const SinkLane::Item& item);
  bool forked() const;
  bool others_write() const;
  void settle(Patience patience);
  void make_room(Outlet& outlet, const SinkLane::Item& next) const;
  void drain_waiting(Lock& lock);
  void drain(Outlet& outlet, Lock& lock, Patience patience);

  std::shared_ptr<const Logger> logger_;
  std::size_t backlog_limit_;
  std::chrono::milliseconds longest_wait_;
  pid_t owner_;  ///< the process that this works in

  std::mutex mutex_;
  std::condition_variable idle_;
  Outlets outlets_;
  bool settled_ = false;  ///< nothing came since `settle`
};

}  // namespace codecarbon
