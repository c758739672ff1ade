#include "sinks/sink_queue.hpp"

#include <unistd.h>

#include <utility>

namespace codecarbon {

SinkQueue::SinkQueue(std::shared_ptr<const Logger> logger, std::size_t backlog_limit)
    : logger_(std::move(logger)), backlog_limit_(backlog_limit), owner_(::getpid()) {}

SinkQueue::~SinkQueue() {
  if (forked()) return;
  settle();
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
  waiting_.push_back({std::move(item), lanes_.size()});
}

void SinkQueue::drain() {
  if (forked()) return;
  std::unique_lock lock(mutex_);
  if (drainer_ == std::thread::id{} && !waiting_.empty()) drain(lock);
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
  if (forked()) return;
  std::unique_lock lock(mutex_);
  if (drainer_ == std::this_thread::get_id()) return;  // called by a sink: the drain goes on
  idle_.wait(lock, [&] { return drainer_ == std::thread::id{}; });
  drain(lock);
}

void SinkQueue::drain(std::unique_lock<std::mutex>& lock) {
  drainer_ = std::this_thread::get_id();
  do {
    const auto batch = std::exchange(waiting_, {});
    const auto lanes = lanes_;
    lock.unlock();
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      for (const Waiting& waiting : batch) {
        if (i < waiting.lanes) lanes[i]->push(waiting.item);
      }
      lanes[i]->write_all();
    }
    lock.lock();
  } while (!waiting_.empty());
  drainer_ = {};
  idle_.notify_all();
}

}  // namespace codecarbon
