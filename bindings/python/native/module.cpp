#include <nanobind/nanobind.h>

#include "codecarbon/version.hpp"
#include "gil.hpp"
#include "parts.hpp"
#include "process_exit.hpp"

namespace codecarbon::python {
namespace {

namespace nb = nanobind;

constexpr const char* kAbout =
    "The engine of codecarbon. For the package of this name; programs import that instead.";

void finish_all() {
  without_lock(finish_runs);
}

constexpr const char* kMainOnly =
    "codecarbon works in the main interpreter only; import it there, or in a process of its own";

}  // namespace
}  // namespace codecarbon::python

NB_MODULE(native_of_main, m) {
  namespace python = codecarbon::python;
  // At exit, objects of a program that never let go of them are no leak of this module.
  nanobind::set_leak_warnings(false);

  m.doc() = python::kAbout;
  m.attr("__version__") = codecarbon::kVersion;
  python::add_tracker(m);
  python::add_tables(m);
  python::add_detection(m);
  python::add_sources(m);
  python::add_csv_file(m);
  m.def("finish_all", &python::finish_all,
        "Stops every tracker of this process that runs, as its destruction would. For the exit of\n"
        "the interpreter: afterwards no thread of the engine calls Python any more.");
}

/// The engine's threads call back into the interpreter that PyGILState knows, which is the main
/// one. Any other is refused before nanobind sees it, whose types are of one interpreter.
extern "C" NB_EXPORT PyObject* PyInit__native(void);
extern "C" PyObject* PyInit__native(void) {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) return PyInit_native_of_main();
  PyErr_SetString(PyExc_ImportError, codecarbon::python::kMainOnly);
  return nullptr;
}
