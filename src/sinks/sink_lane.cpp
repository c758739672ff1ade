#include "sinks/sink_lane.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

namespace codecarbon {

SinkLane::SinkLane(std::shared_ptr<Sink> sink, std::shared_ptr<const Logger> logger,
                   std::size_t limit)
    : sink_(std::move(sink)), logger_(std::move(logger)), limit_(limit) {}

void SinkLane::push(Item item) {
  if (std::holds_alternative<LiveReport>(*item)) {
    if (sink_->live_every() <= 0) return;
    std::erase_if(backlog_,
                  [](const Item& older) { return std::holds_alternative<LiveReport>(*older); });
  }
  if (sink_->replaces()) drop_superseded(item);
  backlog_.push_back(std::move(item));
}

void SinkLane::drop_superseded(const Item& item) {
  const auto* const report = std::get_if<Report>(item.get());
  if (report == nullptr) return;
  std::erase_if(backlog_, [&](const Item& older) {
    const auto* const old = std::get_if<Report>(older.get());
    return old != nullptr && old->run_id == report->run_id;
  });
}

void SinkLane::write_all() {
  while (!backlog_.empty()) {
    const Outcome outcome = write(backlog_.front());
    if (outcome == Outcome::refused) break;
    backlog_.pop_front();
    if (outcome == Outcome::taken) recovered();
  }
  for (; backlog_.size() > limit_; ++dropped_) backlog_.pop_front();
}

void SinkLane::give_up() {
  const std::size_t lost = backlog_.size() + dropped_;
  if (lost == 0) return;
  // The error itself was said when it happened.
  logger_->log(LogLevel::warning,
               fmt::format("output {}: {} report(s) could not be written and are lost",
                           sink_->name(), lost));
}

Status SinkLane::hand_over(const Item& item) {
  if (const auto* const report = std::get_if<Report>(item.get())) return sink_->write(*report);
  if (const auto* const live = std::get_if<LiveReport>(item.get())) {
    return sink_->write_live(live->report);
  }
  return sink_->write_tasks(std::get<std::vector<TaskReport>>(*item));
}

SinkLane::Outcome SinkLane::write(const Item& item) {
  try {
    const Status status = hand_over(item);
    if (status) return Outcome::taken;
    refused(status.error().message);
    return std::holds_alternative<LiveReport>(*item) ? Outcome::thrown : Outcome::refused;
  } catch (const std::exception& error) {
    logger_->once(LogLevel::error, fmt::format("sink {} threw", sink_->name()),
                  fmt::format("output {}: it threw an exception: {}", sink_->name(), error.what()));
  } catch (...) {
    logger_->once(LogLevel::error, fmt::format("sink {} threw", sink_->name()),
                  fmt::format("output {}: it threw something", sink_->name()));
  }
  return Outcome::thrown;
}

void SinkLane::refused(const std::string& message) {
  if (!trouble_.insert(message).second) return;
  logger_->log(LogLevel::error, fmt::format("output {}: {} (kept, and tried again with the next)",
                                            sink_->name(), message));
}

void SinkLane::recovered() {
  if (trouble_.empty() || !backlog_.empty()) return;
  trouble_.clear();
  const std::size_t dropped = std::exchange(dropped_, 0);
  if (dropped == 0) {
    logger_->log(LogLevel::info,
                 fmt::format("output {}: works again, nothing was lost", sink_->name()));
  } else {
    logger_->log(LogLevel::warning,
                 fmt::format("output {}: works again; the {} oldest reports were dropped meanwhile",
                             sink_->name(), dropped));
  }
}

}  // namespace codecarbon
