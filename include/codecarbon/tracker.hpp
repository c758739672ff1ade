#pragma once
/// \file
/// The engine's front door: measures energy and emissions from start to stop.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codecarbon/clock.hpp"
#include "codecarbon/error.hpp"
#include "codecarbon/log.hpp"
#include "codecarbon/options.hpp"
#include "codecarbon/report.hpp"
#include "codecarbon/sink.hpp"

namespace codecarbon {

/// What the host program hands in besides options. Everything has a sensible default.
struct Hooks {
  LogHook log;                               ///< empty: nothing is said
  std::shared_ptr<const Clock> clock;        ///< empty: the machine's clocks
  std::vector<std::shared_ptr<Sink>> sinks;  ///< in addition to those the options name
  std::string options_origin = "keyword";    ///< where the options were given, for messages
  std::string python_version;                ///< shown in the row
  /// For a program that runs another: the share of the processes that it starts is reported beside
  /// the machine's figures, and in process mode as the figures.
  bool tracks_children = false;
};

/// Measures one run. One run_id from construction on; totals are cumulative over the run; a row
/// holds the totals so far.
///
/// | state   | start         | pause          | resume     | flush            | stop           |
/// |---------|---------------|----------------|------------|------------------|----------------|
/// | idle    | running       | warns          | warns      | logs an error    | logs an error  |
/// | running | warns         | row, paused    | warns      | row              | row, stopped   |
/// | paused  | running       | warns          | running    | row              | row, stopped   |
/// | stopped | running again | warns          | running    | nothing new      | nothing new    |
///
/// Every call returns the emissions so far, or nothing before the first start. A program that only
/// measures tasks needs no start: its run is the time in which a task is open, each joule once;
/// flush and stop write rows of it. All calls are thread-safe and return promptly;
/// trouble while measuring is logged once and shown in the report, never thrown. After fork the
/// child's copy is inert. A tracker that is destroyed, or whose process exits, while it runs is
/// stopped first.
class Tracker {
 public:
  /// Checks the options and finds the sensors. Fails when an option is not acceptable, a file that
  /// an option names cannot be read or is malformed, or output_dir is missing; the error names
  /// option, value, where it came from and what is accepted.
  static Result<Tracker> create(const Options& options = {}, Hooks hooks = {});

  /// A tracker that was moved from may only be destroyed or assigned to.
  Tracker(Tracker&&) noexcept;
  Tracker& operator=(Tracker&&) noexcept;
  ~Tracker();

  std::optional<Carbon> start();
  std::optional<Carbon> pause();
  std::optional<Carbon> resume();
  std::optional<Carbon> flush();
  std::optional<Carbon> stop();

  /// Opens a window. An empty `name` is replaced by a unique one. Returns the key that closes it:
  /// the name itself, or name#2, name#3 ... while others of that name were opened before.
  std::string start_task(std::string_view name = {});
  /// Closes the window with this key or, for a bare name, the youngest open one of that name; empty
  /// closes the youngest open one of all. Nothing when there is no such open window (a warning).
  std::optional<TaskReport> stop_task(std::string_view name = {});
  /// All windows closed so far, in the order of their closing.
  std::vector<TaskReport> tasks() const;

  /// The totals at this moment; writes no row.
  Report report();
  /// The totals of the last row; empty before it.
  std::optional<Report> last_report() const;

  std::string run_id() const;
  /// From the next row on. A run that goes on under another's id is one with it for every reader.
  void set_run_id(std::string run_id);
  void set_project_name(std::string project_name);
  /// True in a process that was forked from the one that made this tracker: there it is inert.
  bool is_foreign() const;
  /// What was found at construction, for a person: one line per sensor in use or passed over.
  std::vector<std::string> sensors() const;

 private:
  class Impl;
  explicit Tracker(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// A window for a scope: opens when made, closes when destroyed.
class Task {
 public:
  explicit Task(Tracker& tracker, std::string_view name = {})
      : tracker_(&tracker), key_(tracker.start_task(name)) {}
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task() { close(); }

  /// Closes now; the figures, or nothing when closed before.
  std::optional<TaskReport> close() {
    if (tracker_ == nullptr) return std::nullopt;
    return std::exchange(tracker_, nullptr)->stop_task(key_);
  }

 private:
  Tracker* tracker_;
  std::string key_;
};

}  // namespace codecarbon
