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
/// another thread is writing already, which then writes this report too. So nobody ever waits for
/// another thread's I/O, and no sink is called by two threads at once. What a sink could not take
/// is kept and tried again before its next report, and so is what comes while a sink does not
/// return, each up to `backlog_limit` items; trouble is logged and goes no further.
/// Thread-safe; sinks may submit from within their calls. In a child after fork every call does
/// nothing.
class SinkQueue {
 public:
  explicit SinkQueue(std::shared_ptr<const Logger> logger, std::size_t backlog_limit = 1000);
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
  /// Writes what is enqueued, unless another thread is at it.
  void drain();
  /// `enqueue`, then `drain`.
  void submit(Report report);
  void submit_tasks(std::vector<TaskReport> tasks);
  /// Tries once more what could not be written, with more patience for other processes, and returns
  /// when all that was submitted before has been tried, by whichever thread.
  void settle();

 private:
  void enqueue(SinkLane::Item item);
  bool forked() const;
  void settle(std::chrono::milliseconds patience);
  void make_room(const SinkLane::Item& next);
  void drain(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds patience);

  std::shared_ptr<const Logger> logger_;
  std::size_t backlog_limit_;
  pid_t owner_;  ///< the process that this works in

  std::mutex mutex_;
  std::condition_variable idle_;
  /// Lanes are used without the mutex, by the thread that drains.
  std::vector<std::shared_ptr<SinkLane>> lanes_;
  struct Waiting {
    SinkLane::Item item;
    std::size_t lanes;  ///< how many there were when it was submitted
  };
  std::vector<Waiting> waiting_;
  std::size_t dropped_ = 0;  ///< of those that waited; not yet said
  bool settled_ = false;     ///< nothing came since `settle`
  std::thread::id drainer_;  ///< no thread's when nobody drains
};

}  // namespace codecarbon
