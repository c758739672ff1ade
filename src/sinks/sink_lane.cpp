#include "sinks/sink_lane.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "sinks/say.hpp"

namespace codecarbon {

namespace {

constexpr int kMostThrows = 3;

/// Calls for what an item holds, each but the first kind of row.
Status tell(Sink& sink, const SinkLane::Item::element_type& item) {
  if (const auto* const report = std::get_if<Report>(&item)) return sink.write(*report);
  if (const auto* const tasks = std::get_if<std::vector<TaskReport>>(&item)) {
    return sink.write_tasks(*tasks);
  }
  return sink.finish();
}

}  // namespace

bool is_live(const SinkLane::Item& item) {
  return std::holds_alternative<LiveReport>(*item);
}

bool is_row(const SinkLane::Item& item) {
  return std::holds_alternative<Report>(*item) ||
         std::holds_alternative<std::vector<TaskReport>>(*item);
}

SinkLane::SinkLane(std::shared_ptr<Sink> sink, std::shared_ptr<const Logger> logger,
                   std::size_t limit)
    : sink_(std::move(sink)),
      patient_(dynamic_cast<PatientSink*>(sink_.get())),
      logger_(std::move(logger)),
      limit_(limit) {}

void SinkLane::push(Item item) noexcept {
  try {
    if (is_live(item)) {
      if (sink_->live_every() <= 0) return;
      std::erase_if(backlog_, is_live);
    }
    if (sink_->replaces()) drop_superseded(item);
    backlog_.push_back(std::move(item));
  } catch (...) {
    ++dropped_;
  }
}

void SinkLane::drop_superseded(const Item& item) {
  const auto* const report = std::get_if<Report>(item.get());
  if (report == nullptr) return;
  std::erase_if(backlog_, [&](const Item& older) {
    const auto* const old = std::get_if<Report>(older.get());
    return old != nullptr && old->run_id == report->run_id;
  });
}

void SinkLane::write_all(std::chrono::milliseconds patience) noexcept {
  try {
    if (patient_ != nullptr) patient_->set_patience(patience);
    while (!backlog_.empty()) {
      const Outcome outcome = write(backlog_.front());
      if (outcome == Outcome::keep) break;
      if (outcome == Outcome::drop) {
        drop_oldest();
      } else {
        backlog_.pop_front();
        recovered();
      }
      throws_ = 0;
    }
    while (backlog_.size() > limit_) {
      drop_oldest();
      throws_ = 0;
    }
  } catch (...) {  // out of memory for a message: what is left waits for the next call
  }
}

void SinkLane::drop_oldest() {
  if (is_row(backlog_.front())) ++dropped_;
  backlog_.pop_front();
}

void SinkLane::give_up() noexcept {
  try {
    while (!backlog_.empty()) drop_oldest();
    if (dropped_ == 0) return;
    // The error itself was said when it happened.
    say(*logger_, LogLevel::warning,
        fmt::format(
            "output {}: {} report(s) could not be written, not even at the end, and are lost",
            sink_->name(), dropped_));
  } catch (...) {  // nobody is left to be told
  }
}

SinkLane::Outcome SinkLane::write(const Item& item) {
  try {
    const auto* const live = std::get_if<LiveReport>(item.get());
    return live != nullptr ? write_live(live->report) : write_row(item);
  } catch (const std::exception& error) {
    return threw(error.what());
  } catch (...) {
    return threw("not a std::exception");
  }
}

SinkLane::Outcome SinkLane::write_row(const Item& item) {
  const Status status = tell(*sink_, *item);
  if (status) return Outcome::taken;
  said_once(status.error().message, "kept, and tried again with the next and at the end");
  return Outcome::keep;
}

SinkLane::Outcome SinkLane::write_live(const Report& report) {
  const Status status = sink_->write_live(report);
  if (status) return Outcome::taken;
  said_once(status.error().message, "totals between rows: not tried again, the next tell more");
  return Outcome::drop;
}

/// Said once in all: what it throws may differ each time.
SinkLane::Outcome SinkLane::threw(const char* what) {
  const bool drop = is_live(backlog_.front()) || ++throws_ >= kMostThrows;
  try {
    trouble_.insert("threw");
    logger_->once(LogLevel::error, fmt::format("sink {} threw", sink_->name()),
                  fmt::format("output {}: it threw an exception: {}", sink_->name(), what));
  } catch (...) {  // the outcome counts more than the message
  }
  return drop ? Outcome::drop : Outcome::keep;
}

void SinkLane::said_once(const std::string& message, std::string_view what_follows) {
  if (!trouble_.insert(message).second) return;
  say(*logger_, LogLevel::error,
      fmt::format("output {}: {} ({})", sink_->name(), message, what_follows));
}

void SinkLane::recovered() {
  if (trouble_.empty() || !backlog_.empty()) return;
  trouble_.clear();
  const std::size_t dropped = std::exchange(dropped_, 0);
  if (dropped == 0) {
    say(*logger_, LogLevel::info,
        fmt::format("output {}: works again, nothing was lost", sink_->name()));
  } else {
    say(*logger_, LogLevel::warning,
        fmt::format("output {}: works again; {} report(s) were dropped meanwhile", sink_->name(),
                    dropped));
  }
}

}  // namespace codecarbon
