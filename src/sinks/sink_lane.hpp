#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/logger.hpp"
#include "codecarbon/sink.hpp"

namespace codecarbon {

/// Totals between two rows.
struct LiveReport {
  Report report;
};

/// One sink and what it has not taken yet. One thread at a time.
class SinkLane {
 public:
  /// Shared by the lanes of all sinks.
  using Item = std::shared_ptr<const std::variant<Report, LiveReport, std::vector<TaskReport>>>;

  /// At most `limit` items are kept; beyond it the oldest go, which costs little, because totals
  /// are cumulative.
  SinkLane(std::shared_ptr<Sink> sink, std::shared_ptr<const Logger> logger, std::size_t limit);

  void push(Item item);
  /// Writes what is there, the oldest first, until the sink refuses. A refusal is logged once for
  /// each kind of trouble, and again only after the sink has worked in between. What a sink throws
  /// at is not tried again.
  void write_all();
  /// Says what was never written. Nothing comes after it.
  void give_up();

 private:
  enum class Outcome { taken, refused, thrown };
  Outcome write(const Item& item);
  Status hand_over(const Item& item);
  void drop_superseded(const Item& item);
  void refused(const std::string& message);
  void recovered();

  std::shared_ptr<Sink> sink_;
  std::shared_ptr<const Logger> logger_;
  std::size_t limit_;
  std::deque<Item> backlog_;
  std::size_t dropped_ = 0;
  std::set<std::string> trouble_;  ///< already said; empty while the sink works
};

}  // namespace codecarbon
