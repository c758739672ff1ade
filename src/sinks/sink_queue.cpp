#include "sinks/sink_queue.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "sinks/say.hpp"

namespace codecarbon {

namespace {

/// A sink may report from within its calls, but not for ever.
constexpr int kMostFromWithin = 100;

}  // namespace

SinkQueue::SinkQueue(std::shared_ptr<const Logger> logger, std::size_t backlog_limit,
                     std::chrono::milliseconds longest_wait)
    : logger_(std::move(logger)),
      backlog_limit_(backlog_limit),
      longest_wait_(longest_wait),
      owner_(::getpid()) {}

SinkQueue::~SinkQueue() {
  if (forked()) return;
  // What was tried with patience is tried once more, but not waited for again.
  settle(settled_ ? kShortPatience : kLongPatience);
  for (const auto& outlet : outlets_) outlet->lane.give_up();
}

/// The mutex, or the role of the drainer, may have been held at the fork by a thread that the child
/// does not have: there is nobody to wait for.
bool SinkQueue::forked() const {
  return ::getpid() != owner_;
}

void SinkQueue::add(std::shared_ptr<Sink> sink) {
  if (forked()) return;
  const std::lock_guard lock(mutex_);
  outlets_.push_back(
      std::make_shared<Outlet>(Outlet{.lane = SinkLane(std::move(sink), logger_, backlog_limit_)}));
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

void SinkQueue::enqueue_end() {
  enqueue(std::make_shared<SinkLane::Item::element_type>(EndOfRun{}));
}

void SinkQueue::enqueue(const SinkLane::Item& item) {
  if (forked()) return;
  const std::lock_guard lock(mutex_);
  for (const auto& outlet : outlets_) {
    if (is_row(item) && outlet->drainer == std::this_thread::get_id() &&
        ++outlet->from_within > kMostFromWithin) {
      ++outlet->dropped;
      continue;
    }
    make_room(*outlet, item);
    outlet->waiting.push_back(item);
  }
  settled_ = false;
}

/// Whoever drains may be stuck in a sink for long.
void SinkQueue::make_room(Outlet& outlet, const SinkLane::Item& next) const {
  auto& waiting = outlet.waiting;
  if (is_live(next)) std::erase_if(waiting, is_live);
  if (waiting.size() < backlog_limit_ || waiting.empty()) return;
  if (is_row(waiting.front())) ++outlet.dropped;
  waiting.erase(waiting.begin());
}

void SinkQueue::drain() {
  if (forked()) return;
  Lock lock(mutex_);
  drain_waiting(lock);
}

void SinkQueue::drain_waiting(Lock& lock) {
  for (const auto& outlet : Outlets(outlets_)) {
    if (outlet->drainer != std::thread::id{} || outlet->waiting.empty()) continue;
    drain(*outlet, lock, kShortPatience);
  }
}

void SinkQueue::drain_and_wait() {
  if (forked()) return;
  Lock lock(mutex_);
  drain_waiting(lock);
  idle_.wait_for(lock, longest_wait_, [&] { return !others_write(); });
}

bool SinkQueue::is_in_use() {
  if (forked()) return false;
  const std::lock_guard lock(mutex_);
  return others_write();
}

bool SinkQueue::others_write() const {
  return std::any_of(outlets_.begin(), outlets_.end(),
                     [](const auto& outlet) { return outlet->is_held_by_another(); });
}

/// What this thread holds itself, because a sink has called, goes on when the sink returns.
bool SinkQueue::Outlet::is_held_by_another() const {
  return drainer != std::thread::id{} && drainer != std::this_thread::get_id();
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

void SinkQueue::settle(Patience patience) {
  if (forked()) return;
  Lock lock(mutex_);
  settled_ = true;
  Outlets busy;
  for (const auto& outlet : Outlets(outlets_)) {
    if (outlet->is_held_by_another()) busy.push_back(outlet);
    if (outlet->drainer == std::thread::id{}) drain(*outlet, lock, patience);
  }
  // Last, so that who does not come back costs the others nothing.
  const auto give_up = std::chrono::steady_clock::now() + longest_wait_;
  for (const auto& outlet : busy) {
    const auto is_free = [&] { return outlet->drainer == std::thread::id{}; };
    if (idle_.wait_until(lock, give_up, is_free)) drain(*outlet, lock, patience);
  }
}

void SinkQueue::drain(Outlet& outlet, Lock& lock, Patience patience) {
  // Whatever is thrown: a drainer that stayed on for ever would stop all that comes after.
  struct EndOfDrain {
    SinkQueue& queue;
    Outlet& outlet;
    Lock& lock;
    ~EndOfDrain() {
      if (!lock.owns_lock()) lock.lock();
      outlet.drainer = {};
      queue.idle_.notify_all();
    }
  };
  outlet.drainer = std::this_thread::get_id();
  outlet.from_within = 0;
  const EndOfDrain end{*this, outlet, lock};
  do {
    const auto batch = std::exchange(outlet.waiting, {});
    const std::size_t dropped = std::exchange(outlet.dropped, 0);
    lock.unlock();
    if (dropped > 0) {
      say(*logger_, LogLevel::warning,
          fmt::format("outputs: {} report(s) were dropped: an output took too long, or wrote again "
                      "for each "
                      "row that it was given",
                      dropped));
    }
    for (const SinkLane::Item& item : batch) outlet.lane.push(item);
    outlet.lane.write_all(patience);
    lock.lock();
  } while (!outlet.waiting.empty());
}

}  // namespace codecarbon
