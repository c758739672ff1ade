#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "handlers.hpp"
#include "text.hpp"
#include "tracker/run.hpp"

namespace codecarbon::python {

using Sinks = nb::typed<nb::iterable, nb::object>;
/// The key of a task, and its figures in the order of the columns of a run.
using TaskRow = nb::typed<nb::tuple, nb::str, StrList>;
using LogCallable = nb::typed<nb::callable, void(int, nb::str)>;

/// What is behind `codecarbon._native.Tracker`: one run and the Python objects that it calls.
/// Functions are called with the interpreter lock held and give it up while the engine works.
class PyTracker {
 public:
  /// Raises as `raise` does when the options are not acceptable.
  PyTracker(const StrDict& options, std::optional<LogCallable> log, const Sinks& sinks,
            const nb::str& python_version);
  PyTracker(const PyTracker&) = delete;
  PyTracker& operator=(const PyTracker&) = delete;
  /// Finishes the run, so that its last row is written. In the child of a fork, and when the
  /// interpreter ends, it only lets go.
  ~PyTracker();

  /// Kilograms so far; nothing before the first start.
  std::optional<double> call(Call call);

  nb::str start_task(const nb::str& name);
  std::optional<TaskRow> stop_task(const nb::str& key);
  nb::typed<nb::list, TaskRow> tasks() const;

  StrList report();
  std::optional<StrList> last_report() const;
  std::tuple<std::int64_t, std::int64_t, std::int64_t> energies_uj();

  nb::str run_id() const;
  void set_run_id(const nb::str& run_id);
  void set_project_name(const nb::str& project_name);
  StrList sensors() const;
  bool is_foreign() const;

  /// For the garbage collector: `finish` before anything of an unreachable cycle is taken apart.
  void finish();
  Handlers& handlers() { return *handlers_; }

 private:
  std::shared_ptr<Handlers> handlers_;
  std::shared_ptr<Run> run_;
  std::vector<std::string> sensors_;
};

}  // namespace codecarbon::python
