#include "tracker/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "tracker/run_id.hpp"

namespace codecarbon {

namespace {

/// Nobody waits for longer, and no clock counts much further.
constexpr Duration kNever = std::chrono::hours(24 * 365 * 10);

/// How often live reports are due; zero when no sink wants them.
Duration live_period(const std::vector<std::shared_ptr<Sink>>& sinks, Duration period) {
  Duration shortest{};
  for (const auto& sink : sinks) {
    const int every = sink->live_every();
    if (every <= 0 || period > kNever / every) continue;
    const Duration wanted = period * every;
    shortest = shortest == Duration{} ? wanted : std::min(shortest, wanted);
  }
  return shortest;
}

}  // namespace

Run::Run(Parts parts)
    : owner_pid_(::getpid()),
      clock_(std::move(parts.clock)),
      logger_(std::move(parts.logger)),
      mark_(std::move(parts.mark)),
      sinks_(logger_),
      sampler_(
          std::move(parts.probes), parts.uses, clock_, parts.period,
          [this](const SensorInfo& info, GapCause cause) { tell_gap(info, cause); },
          std::move(parts.processes)),
      window_(sampler_.add_window()),
      context_(std::make_shared<const RunContext>(std::move(parts.context))),
      live_period_(live_period(parts.sinks, parts.period)),
      live_(clock_, [this] { report_live(); }) {
  for (auto& sink : parts.sinks) sinks_.add(std::move(sink));
}

bool Run::is_foreign() const {
  return ::getpid() != owner_pid_;
}

/// After a fork the threads are gone and locks may be held for ever: nothing but the process id may
/// be looked at.
bool Run::refuse_foreign(std::string_view what) const {
  if (!is_foreign()) return false;
  if (!foreign_said_.exchange(true)) {
    logger_->log(LogLevel::warning,
                 fmt::format("{} has no effect: this tracker belongs to the process that this one "
                             "was forked from; create a new one here",
                             what));
  }
  return true;
}

std::optional<Carbon> Run::call(Call call) {
  if (refuse_foreign("the call")) return std::nullopt;
  const auto emissions = perform(call);
  // Who stops goes on to read what was written.
  call == Call::stop ? sinks_.drain_and_wait() : sinks_.drain();
  return emissions;
}

std::optional<Carbon> Run::perform(Call call) {
  std::vector<Said> said;
  std::optional<Carbon> emissions;
  {
    const std::lock_guard lock(mutex_);
    const Transition step = transition(state_, call, has_tasks());
    if (!step.message.empty()) said.push_back({step.level, std::string(step.message)});
    emissions = apply(step, said);
  }
  say(said);
  if (sampler_.lacks_priority()) {
    logger_->once(
        LogLevel::info, "priority",
        "so short an interval needs real-time priority, which the system refused: samples "
        "may come late on a busy machine");
  }
  sampler_.tell_gaps();
  return emissions;
}

bool Run::has_tasks() const {
  return !open_tasks_.empty() || !closed_tasks_.empty();
}

std::optional<Carbon> Run::apply(const Transition& step, std::vector<Said>& said) {
  const bool new_tasks = step.ends_tasks && close_open_tasks();
  if (state_ == State::idle && step.opens) begin_figures();
  state_ = step.next;
  if (state_ == State::idle && !step.row) return std::nullopt;
  const Ledger ledger = step.opens    ? sampler_.open(window_)
                        : step.closes ? sampler_.close(window_)
                                      : sampler_.totals(window_);
  rest_between_runs();
  if (step.opens || step.closes || state_ == State::stopped) keep_live_beat();
  if (step.opens) check_beat(said);
  Report report = report_of(measured(ledger));
  const Carbon emissions = report.emissions;
  const bool repeats = state_ == State::idle && step.ends_tasks && !new_tasks;
  if (step.row && !repeats) write_row(std::move(report));
  if (step.ends_tasks) end_outputs();
  return emissions;
}

void Run::write_row(Report report) {
  sinks_.enqueue(report);
  outputs_ended_ = false;
  const std::lock_guard lock(context_mutex_);
  last_report_ = std::move(report);
}

/// The first start. What tasks used before is the run's only if a row has said so.
void Run::begin_figures() {
  if (last_report()) return;
  sampler_.remove(window_);
  window_ = sampler_.add_window();
}

/// Before the first start the run is the stretches in which a task is open.
void Run::follow_tasks() {
  if (state_ == State::idle && open_tasks_.empty()) sampler_.close(window_);
}

void Run::check_beat(std::vector<Said>& said) const {
  if (!sampler_.keeps_beat()) {
    said.push_back({LogLevel::error,
                    "the system refused a thread: readings are taken at start, pause, flush and "
                    "stop only"});
  }
}

/// Live reports come from a thread of their own: a sink that takes its time must not hold up the
/// sampling.
void Run::keep_live_beat() {
  if (live_period_ == Duration{}) return;
  if (state_ == State::running) {
    live_.run_every(live_period_);
  } else if (state_ == State::stopped) {
    live_.retire();
  } else {
    live_.park();
  }
}

/// Between runs nothing keeps a thread, unless a task is open.
void Run::rest_between_runs() {
  if (state_ == State::idle || state_ == State::stopped) sampler_.rest();
}

void Run::report_live() {
  {
    const std::lock_guard lock(mutex_);
    if (state_ != State::running) return;
    sinks_.enqueue_live(report_of(measured(sampler_.totals(window_))));
  }
  sinks_.drain();
}

std::string Run::run_id() const {
  if (is_foreign()) return {};
  return context()->run_id;
}

void Run::set_run_id(std::string run_id) {
  if (refuse_foreign("set_run_id")) return;
  change_context([&](RunContext& context) { context.run_id = std::move(run_id); });
}

void Run::set_project_name(std::string project_name) {
  if (refuse_foreign("set_project_name")) return;
  change_context([&](RunContext& context) { context.project_name = std::move(project_name); });
}

std::shared_ptr<const RunContext> Run::context() const {
  const std::lock_guard lock(context_mutex_);
  return context_;
}

/// What was measured under the old context keeps it.
template <class Change>
void Run::change_context(Change change) {
  const std::lock_guard lock(context_mutex_);
  auto changed = std::make_shared<RunContext>(*context_);
  change(*changed);
  context_ = std::move(changed);
}

Run::Measured Run::measured(const Ledger& ledger) const {
  auto now = context();
  Summary summary = summarize(*now, sampler_.sensors(), ledger);
  return {std::move(now), std::move(summary), clock_->wall_now()};
}

Report Run::report_of(const Measured& measured) const {
  return assemble_report(*measured.context, sampler_.sensors(), measured.summary, measured.at);
}

TaskReport Run::report_of(const ClosedTask& task) const {
  return {task.key, report_of(task.measured)};
}

std::string Run::start_task(std::string_view name) {
  if (refuse_foreign("start_task")) return std::string(name);
  std::string key;
  {
    const std::lock_guard lock(mutex_);
    OpenTask task{name.empty() ? make_run_id() : open_tasks_.next_key(name), std::string(name),
                  sampler_.add_window()};
    sampler_.open({task.window, state_ == State::idle ? window_ : task.window});
    key = task.key;
    open_tasks_.add(std::move(task));
  }
  sampler_.tell_gaps();
  return key;
}

std::optional<TaskReport> Run::stop_task(std::string_view key_or_name) {
  if (refuse_foreign("stop_task")) return std::nullopt;
  std::optional<TaskReport> closed;
  {
    const std::lock_guard lock(mutex_);
    if (const auto task = open_tasks_.take(key_or_name)) closed = report_of(close_task(*task));
    follow_tasks();
    rest_between_runs();
  }
  sampler_.tell_gaps();
  if (closed) return closed;
  logger_->log(LogLevel::warning,
               key_or_name.empty()
                   ? std::string("stop_task has no effect: no task is open")
                   : fmt::format("stop_task(\"{}\") has no effect: no open task has this name",
                                 key_or_name));
  return std::nullopt;
}

const Run::ClosedTask& Run::close_task(const OpenTask& task) {
  closed_tasks_.push_back({task.key, measured(sampler_.close(task.window))});
  sampler_.remove(task.window);
  return closed_tasks_.back();
}

/// Whether the sinks had not all of them yet.
bool Run::close_open_tasks() {
  for (const OpenTask& task : open_tasks_.take_all()) close_task(task);
  follow_tasks();
  if (closed_tasks_.size() == written_tasks_) return false;
  written_tasks_ = closed_tasks_.size();
  sinks_.enqueue_tasks(report_closed_tasks());
  outputs_ended_ = false;
  return true;
}

void Run::end_outputs() {
  if (!std::exchange(outputs_ended_, true)) sinks_.enqueue_end();
}

std::vector<TaskReport> Run::report_closed_tasks() const {
  std::vector<TaskReport> reports;
  reports.reserve(closed_tasks_.size());
  for (const ClosedTask& task : closed_tasks_) reports.push_back(report_of(task));
  return reports;
}

std::vector<TaskReport> Run::tasks() const {
  if (is_foreign()) return {};
  const std::lock_guard lock(mutex_);
  return report_closed_tasks();
}

Report Run::report() {
  if (refuse_foreign("report")) return {};
  Report report;
  {
    const std::lock_guard lock(mutex_);
    report = report_of(measured(sampler_.totals(window_)));
  }
  sampler_.tell_gaps();
  return report;
}

std::optional<Report> Run::last_report() const {
  if (is_foreign()) return std::nullopt;
  const std::lock_guard lock(context_mutex_);
  return last_report_;
}

bool Run::is_in_output() {
  return !is_foreign() && sinks_.is_in_use();
}

void Run::finish() {
  if (is_foreign()) return;
  bool to_stop = false;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(finished_, true)) return;
    to_stop = state_ == State::running || (state_ == State::idle && has_tasks());
    if (!to_stop) {
      close_open_tasks();
      end_outputs();
    }
  }
  if (to_stop) perform(Call::stop);
  sinks_.settle();
}

void Run::say(const std::vector<Said>& said) const {
  for (const auto& [level, text] : said) logger_->log(level, text);
}

void Run::tell_gap(const SensorInfo& info, GapCause cause) const {
  logger_->log(
      LogLevel::warning,
      fmt::format("{} ({}) {}: what it cannot make up for is reported as a gap with a bound",
                  info.domain.name, info.source, to_string(cause)));
}

}  // namespace codecarbon
