#include "tracker.hpp"

#include <system_error>
#include <thread>
#include <utility>

#include "errors.hpp"
#include "gil.hpp"
#include "process_exit.hpp"
#include "report/row.hpp"
#include "sinks.hpp"
#include "tracker/exit_guard.hpp"
#include "tracker/setup.hpp"
#include "worker_exit.hpp"

namespace codecarbon::python {
namespace {

std::vector<nb::object> objects_of(const nb::iterable& iterable) {
  std::vector<nb::object> objects;
  for (const nb::handle item : iterable) objects.push_back(nb::borrow(item));
  return objects;
}

Hooks make_hooks(const std::shared_ptr<Handlers>& handlers, std::size_t sinks) {
  Hooks hooks;
  if (!handlers->log().is_none()) {
    hooks.log = [handlers](LogLevel level, std::string_view line) {
      call_log(*handlers, level, line);
    };
  }
  for (std::size_t i = 0; i < sinks; ++i) {
    hooks.sinks.push_back(std::make_shared<PySink>(handlers, i));
  }
  return hooks;
}

TaskRow to_row(const TaskReport& task) {
  return TaskRow(nb::make_tuple(to_str(task.task_name), to_list(encode_row(task.report))));
}

/// A run cannot go by a thread of its own, which would wait for itself, nor while an output does
/// not come back, by one that has better to do.
void let_go_elsewhere(std::shared_ptr<Run> run) {
  auto pass = EnginePass::get();
  // Kept for ever, unless the thread takes it.
  auto* const kept = new std::shared_ptr<Run>(std::move(run));
  if (!pass) return;
  try {
    std::thread([kept, held = std::move(pass)] {
      const std::unique_ptr<std::shared_ptr<Run>> owner(kept);
      (*owner)->finish();
    }).detach();
  } catch (const std::system_error&) {
    // No thread to be had: it stays, and is finished when the process exits.
  }
}

/// Whether it is gone, and calls its handlers no more.
bool let_go(std::shared_ptr<Run> run) {
  if (run->is_foreign() || is_engine_gate_closed()) {
    // Its threads are not here, or wait for an interpreter that ends: it cannot be taken apart.
    new std::shared_ptr<Run>(std::move(run));
    return false;
  }
  if (!on_engine_thread()) {
    const Unlocked unlocked;
    run->finish();
    if (!run->is_in_output()) {
      run.reset();
      return true;
    }
  }
  let_go_elsewhere(std::move(run));
  return false;
}

}  // namespace

PyTracker::PyTracker(const StrDict& options, std::optional<LogCallable> log, const Sinks& sinks,
                     const nb::str& python_version) {
  const Options given = to_options(options);
  auto objects = objects_of(sinks);
  const std::size_t count = objects.size();
  nb::object log_or_none = log ? nb::object(std::move(*log)) : nb::none();
  handlers_ = std::make_shared<Handlers>(std::move(log_or_none), std::move(objects));
  Hooks hooks = make_hooks(handlers_, count);
  hooks.python_version = to_text(python_version);

  Setup setup = value_or_raise(without_lock([&] { return set_up(given, std::move(hooks)); }));
  sensors_ = std::move(setup.sensor_lines);
  run_ = std::make_shared<Run>(std::move(setup.parts));
  finish_at_exit(run_);
  finish_at_process_exit();
  finish_with_worker();
}

PyTracker::~PyTracker() {
  if (!run_) return;
  const nb::error_scope error_in_flight;
  const bool gone = let_go(std::move(run_));
  try {
    raise_pending();
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("codecarbon: a tracker that goes");
  }
  if (gone) handlers_->clear();
}

void PyTracker::finish() {
  without_lock([&] { run_->finish(); });
}

std::optional<double> PyTracker::call(Call call) {
  const auto emissions = without_lock([&] { return run_->call(call); });
  return emissions ? std::optional(emissions->kilograms()) : std::nullopt;
}

nb::str PyTracker::start_task(const nb::str& name) {
  const std::string text = to_name(name);
  return to_str(without_lock([&] { return run_->start_task(text); }));
}

std::optional<TaskRow> PyTracker::stop_task(const nb::str& key) {
  const std::string text = to_name(key);
  const auto task = without_lock([&] { return run_->stop_task(text); });
  return task ? std::optional(to_row(*task)) : std::nullopt;
}

nb::typed<nb::list, TaskRow> PyTracker::tasks() const {
  const auto tasks = without_lock([&] { return run_->tasks(); });
  nb::list rows;
  for (const TaskReport& task : tasks) rows.append(to_row(task));
  return nb::typed<nb::list, TaskRow>(std::move(rows));
}

StrList PyTracker::report() {
  const auto row = without_lock([&] { return encode_row(run_->report()); });
  return to_list(row);
}

std::optional<StrList> PyTracker::last_report() const {
  const auto report = without_lock([&] { return run_->last_report(); });
  return report ? std::optional(to_list(encode_row(*report))) : std::nullopt;
}

std::tuple<std::int64_t, std::int64_t, std::int64_t> PyTracker::energies_uj() {
  const auto report = without_lock([&] { return run_->report(); });
  return {report.cpu.energy.uj(), report.gpu.energy.uj(), report.ram.energy.uj()};
}

nb::str PyTracker::run_id() const {
  return to_str(without_lock([&] { return run_->run_id(); }));
}

void PyTracker::set_run_id(const nb::str& run_id) {
  without_lock([&, text = to_name(run_id)] { run_->set_run_id(text); });
}

void PyTracker::set_project_name(const nb::str& project_name) {
  without_lock([&, text = to_name(project_name)] { run_->set_project_name(text); });
}

StrList PyTracker::sensors() const {
  return to_list(sensors_);
}

bool PyTracker::is_foreign() const {
  return run_->is_foreign();
}

}  // namespace codecarbon::python
