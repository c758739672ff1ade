#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.hpp"
#include "base/logger.hpp"
#include "codecarbon/report.hpp"
#include "report/assemble.hpp"
#include "sampling/periodic_worker.hpp"
#include "sampling/sampler.hpp"
#include "sinks/sink_queue.hpp"
#include "tracker/exit_guard.hpp"
#include "tracker/lifecycle.hpp"
#include "tracker/task_windows.hpp"

namespace codecarbon {

/// One run: the lifecycle over a sampler, with rows to a queue of sinks. Thread-safe. Logs and
/// writes only while no lock is held.
class Run final : public Finishable {
 public:
  struct Parts {
    RunContext context;
    std::vector<std::unique_ptr<Probe>> probes;
    std::vector<Use> uses;
    std::unique_ptr<ProcessSource> processes;  ///< whose share is told; empty: nobody's
    std::vector<std::shared_ptr<Sink>> sinks;
    std::shared_ptr<const Clock> clock;
    std::shared_ptr<const Logger> logger;
    Duration period{};
    Fd mark{};  ///< by which the processes that this one starts find the run; may be none
  };

  explicit Run(Parts parts);

  /// True in a process forked from the one that made the run: then nothing may be touched.
  bool is_foreign() const;

  std::optional<Carbon> call(Call call);
  std::string start_task(std::string_view name);
  std::optional<TaskReport> stop_task(std::string_view key_or_name);
  std::vector<TaskReport> tasks() const;
  Report report();
  std::optional<Report> last_report() const;
  std::string run_id() const;
  /// Take effect from the next report on.
  void set_run_id(std::string run_id);
  void set_project_name(std::string project_name);

  /// True while another thread has a sink at work: the run cannot go before that returns.
  bool is_in_output();

  /// Stops if running, closes open tasks, and tries once more what could not be written.
  void finish() override;

 private:
  struct Said {
    LogLevel level;
    std::string text;
  };

  void keep_live_beat();
  void check_beat(std::vector<Said>& said) const;
  void report_live();
  std::optional<Carbon> perform(Call call);
  std::optional<Carbon> apply(const Transition& step, std::vector<Said>& said);
  /// What was measured until now, and all that is needed to report it at any later time.
  struct Measured {
    std::shared_ptr<const RunContext> context;
    Summary summary;
    WallTime at{};
  };
  struct ClosedTask {
    std::string key;
    Measured measured;
  };

  Measured measured(const Ledger& ledger) const;
  Report report_of(const Measured& measured) const;
  TaskReport report_of(const ClosedTask& task) const;
  std::vector<TaskReport> report_closed_tasks() const;
  std::shared_ptr<const RunContext> context() const;
  template <class Change>
  void change_context(Change change);
  const ClosedTask& close_task(const OpenTask& task);
  bool close_open_tasks();
  void end_outputs();
  bool has_tasks() const;
  void write_row(Report report);
  void begin_figures();
  void follow_tasks();
  void rest_between_runs();
  void say(const std::vector<Said>& said) const;
  void tell_gap(const SensorInfo& info, GapCause cause) const;
  bool refuse_foreign(std::string_view what) const;

  const int owner_pid_;
  const std::shared_ptr<const Clock> clock_;
  const std::shared_ptr<const Logger> logger_;
  const Fd mark_;
  mutable std::atomic<bool> foreign_said_ = false;
  SinkQueue sinks_;
  Sampler sampler_;

  mutable std::mutex
      mutex_;  // guards the state below, down to finished_; held while sensors are read
  Sampler::WindowKey window_;
  State state_ = State::idle;
  TaskWindows open_tasks_;
  std::deque<ClosedTask> closed_tasks_;
  std::size_t written_tasks_ = 0;  // how many of closed_tasks_ the sinks have
  bool outputs_ended_ = true;      // nothing was written since the sinks were told of an end
  bool finished_ = false;

  mutable std::mutex
      context_mutex_;  // guards the two below; held for a moment only, the last of all
  std::shared_ptr<const RunContext> context_;  // what it points to never changes
  std::optional<Report> last_report_;

  const Duration live_period_;  // zero: no sink wants live reports
  PeriodicWorker live_;         // last: stops before what it uses goes
};

}  // namespace codecarbon
