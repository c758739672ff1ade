#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/logger.hpp"
#include "codecarbon/sink.hpp"
#include "sinks/patient_sink.hpp"

namespace codecarbon {

/// Totals between two rows.
struct LiveReport {
  Report report;
};

/// A stop has written all that it writes.
struct EndOfRun {};

/// One sink and what it has not taken yet. One thread at a time.
class SinkLane {
 public:
  /// Shared by the lanes of all sinks.
  using Item =
      std::shared_ptr<const std::variant<Report, LiveReport, std::vector<TaskReport>, EndOfRun>>;

  /// At most `limit` items are kept; beyond it the oldest go, which costs little, because totals
  /// are cumulative.
  SinkLane(std::shared_ptr<Sink> sink, std::shared_ptr<const Logger> logger, std::size_t limit);

  void push(Item item) noexcept;
  /// Writes what is there, the oldest first, until the sink refuses or throws. A refusal is logged
  /// once for each kind of trouble, and again only after the sink has worked in between. What a
  /// sink throws at three times is dropped. `patience`: for each wait for other processes.
  void write_all(std::chrono::milliseconds patience) noexcept;
  /// Says what was never written. Nothing comes after it.
  void give_up() noexcept;

 private:
  enum class Outcome { taken, keep, drop };
  Outcome write(const Item& item);
  Outcome write_row(const Item& item);
  Outcome write_live(const Report& report);
  Outcome threw(const char* what);
  void drop_superseded(const Item& item);
  void drop_oldest();
  void said_once(const std::string& message, std::string_view what_follows);
  void recovered();

  std::shared_ptr<Sink> sink_;
  PatientSink* patient_;  ///< `sink_`, if it ever waits
  std::shared_ptr<const Logger> logger_;
  std::size_t limit_;
  std::deque<Item> backlog_;
  int throws_ = 0;                 ///< at the oldest item
  std::size_t dropped_ = 0;        ///< live reports are not counted
  std::set<std::string> trouble_;  ///< already said; empty while the sink works
};

/// Totals between rows: the next tell more.
bool is_live(const SinkLane::Item& item);
/// What nothing else tells again.
bool is_row(const SinkLane::Item& item);

}  // namespace codecarbon
