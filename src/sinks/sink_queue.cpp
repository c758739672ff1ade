#include "sinks/sink_queue.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "sinks/say.hpp"

namespace codecarbon {

SinkQueue::SinkQueue(std::shared_ptr<const Logger> logger, std::size_t backlog_limit)
    : logger_(std::move(logger)), backlog_limit_(backlog_limit), owner_(::getpid()) {}

SinkQueue::~SinkQueue() {
  if (forked()) return;
  // What was tried with patience is tried once more, but not waited for again.
  settle(settled_ ? kShortPatience : kLongPatience);
  for (const auto& lane : lanes_) lane->give_up();
}

/// The mutex, or the role of the drainer, may have been held at the fork by a thread that the child
/// does not have: there is nobody to wait for.
bool SinkQueue::forked() const {
  return ::getpid() != owner_;
}

void SinkQueue::add(std::shared_ptr<Sink> sink) {
  if (forked()) return;
  const std::lock_guard lock(mutex_);
  lanes_.push_back(std::make_shared<SinkLane>(std::move(sink), logger_, backlog_limit_));
}

void SinkQueue::enqueue(Report report) {
  enqueue(std::make_shared<SinkLane::Item::element_type>(std::move(report)));
}

void SinkQueue::enqueue_tasks(std::vector<TaskReport> tasks) {
  enqueue(std::make_shared<SinkLane::Item::element_type>(std::move(tasks)));
}

void SinkQueue::enqueue_live(Report report) {
  enqueue(std::make_shared<SinkLane::Item::element_type>(LiveReport{std::move(report)}));
}

void SinkQueue::enqueue(SinkLane::Item item) {
  if (forked()) return;
  const std::lock_guard lock(mutex_);
  make_room(item);
  waiting_.push_back({std::move(item), lanes_.size()});
  settled_ = false;
}

/// Whoever drains may be stuck in a sink for long.
void SinkQueue::make_room(const SinkLane::Item& next) {
  const auto is_live = [](const SinkLane::Item& item) {
    return std::holds_alternative<LiveReport>(*item);
  };
  if (is_live(next)) {
    std::erase_if(waiting_, [&](const Waiting& older) { return is_live(older.item); });
  }
  if (waiting_.size() < backlog_limit_ || waiting_.empty()) return;
  if (!is_live(waiting_.front().item)) ++dropped_;
  waiting_.erase(waiting_.begin());
}

void SinkQueue::drain() {
  if (forked()) return;
  std::unique_lock lock(mutex_);
  if (drainer_ == std::thread::id{} && !waiting_.empty()) drain(lock, kShortPatience);
}

void SinkQueue::submit(Report report) {
  enqueue(std::move(report));
  drain();
}

void SinkQueue::submit_tasks(std::vector<TaskReport> tasks) {
  enqueue_tasks(std::move(tasks));
  drain();
}

void SinkQueue::settle() {
  settle(kLongPatience);
}

void SinkQueue::settle(std::chrono::milliseconds patience) {
  if (forked()) return;
  std::unique_lock lock(mutex_);
  if (drainer_ == std::this_thread::get_id()) return;  // called by a sink: the drain goes on
  idle_.wait(lock, [&] { return drainer_ == std::thread::id{}; });
  settled_ = true;
  drain(lock, patience);
}

void SinkQueue::drain(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds patience) {
  // Whatever is thrown: a drainer that stayed on for ever would stop all that comes after.
  struct EndOfDrain {
    SinkQueue& queue;
    std::unique_lock<std::mutex>& lock;
    ~EndOfDrain() {
      if (!lock.owns_lock()) lock.lock();
      queue.drainer_ = {};
      queue.idle_.notify_all();
    }
  };
  drainer_ = std::this_thread::get_id();
  const EndOfDrain end{*this, lock};
  do {
    const auto lanes = lanes_;
    const auto batch = std::exchange(waiting_, {});
    const std::size_t dropped = std::exchange(dropped_, 0);
    lock.unlock();
    if (dropped > 0) {
      say(*logger_, LogLevel::warning,
          fmt::format("outputs: {} report(s) were dropped while an output took too long", dropped));
    }
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      for (const Waiting& waiting : batch) {
        if (i < waiting.lanes) lanes[i]->push(waiting.item);
      }
      lanes[i]->write_all(patience);
    }
    lock.lock();
  } while (!waiting_.empty());
}

}  // namespace codecarbon
