#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "parts.hpp"
#include "tracker.hpp"

namespace codecarbon::python {
namespace {

int traverse_tracker(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  return nb::inst_ptr<PyTracker>(self)->handlers().traverse(visit, arg);
}

int clear_tracker(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<PyTracker>(self)->handlers().clear();
  return 0;
}

/// Part of an unreachable cycle: its last row still goes to its handlers.
void finalize_tracker(PyObject* self) {
  if (!nb::inst_ready(self)) return;
  const nb::error_scope error_in_flight;
  try {
    nb::inst_ptr<PyTracker>(self)->finish();
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("codecarbon: a tracker that goes");
  }
}

PyType_Slot tracker_slots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse_tracker)},
    {Py_tp_clear, reinterpret_cast<void*>(clear_tracker)},
    {Py_tp_finalize, reinterpret_cast<void*>(finalize_tracker)},
    {0, nullptr},
};

constexpr const char* kTracker =
    "One run of the engine.\n\n"
    "options: texts by the name of the option; what they do not say comes from environment and\n"
    "files. log: called with a level (0 debug to 4 critical) and a line, from any thread, or "
    "None.\n"
    "sinks: objects with write(values), write_live(values) and write_tasks(rows), whose values "
    "are\n"
    "in the order of extended_columns() and task_columns(); with an int live_every above 0,\n"
    "write_live is called every that many samples; a str name is what messages call it.\n\n"
    "Raises ValueError (value not accepted), TypeError (unknown option), OSError\n"
    "(FileNotFoundError for a folder or file that is not there).\n\n"
    "start, pause, resume, flush and stop return the emissions so far in kg CO2e, or None before\n"
    "the first start; they raise nothing. A tracker that goes while it runs is stopped first.";

constexpr const char* kReport =
    "The totals at this moment, in the order of extended_columns(); \"\" is missing.";
constexpr const char* kEnergies = "CPU, GPU and RAM energy of the run so far in microjoules.";
constexpr const char* kStartTask = "Opens a task window; returns the key that closes it.";
constexpr const char* kStopTask =
    "Closes the window with this key, else the youngest of this name, else (\"\") the youngest of\n"
    "all. Its figures in the order of task_columns(), or None when there is no such window.";

template <Call kCall>
std::optional<double> call(PyTracker& tracker) {
  return tracker.call(kCall);
}

}  // namespace

void add_tracker(nb::module_& module) {
  nb::class_<PyTracker>(module, "Tracker", kTracker, nb::type_slots(tracker_slots),
                        nb::is_weak_referenceable(), nb::is_final())
      .def(nb::init<const StrDict&, std::optional<LogCallable>, const Sinks&, const nb::str&>(),
           nb::arg("options"), nb::arg("log").none(), nb::arg("sinks"), nb::arg("python_version"))
      .def("start", &call<Call::start>)
      .def("pause", &call<Call::pause>)
      .def("resume", &call<Call::resume>)
      .def("flush", &call<Call::flush>)
      .def("stop", &call<Call::stop>)
      .def("start_task", &PyTracker::start_task, nb::arg("name"), kStartTask)
      .def("stop_task", &PyTracker::stop_task, nb::arg("key"), kStopTask)
      .def("tasks", &PyTracker::tasks, "The figures of all windows closed so far.")
      .def("report", &PyTracker::report, kReport)
      .def("last_report", &PyTracker::last_report, "The same as of the last row; None before it.")
      .def("energies_uj", &PyTracker::energies_uj, kEnergies)
      .def_prop_ro("run_id", &PyTracker::run_id, "Empty in the child of a fork.")
      .def("set_run_id", &PyTracker::set_run_id, nb::arg("run_id"), "From the next row on.")
      .def("set_project_name", &PyTracker::set_project_name, nb::arg("project_name"),
           "From the next row on.")
      .def("sensors", &PyTracker::sensors,
           "What was found at construction: one line per sensor in use or passed over.")
      .def("is_foreign", &PyTracker::is_foreign,
           "True in a process forked from the one that made this: there it does nothing.");
}

}  // namespace codecarbon::python
