#include "errors.hpp"

#include <nanobind/nanobind.h>

#include "text.hpp"

namespace codecarbon::python {
namespace {

PyObject* exception_for(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid_value:
    case ErrorKind::format:
      return PyExc_ValueError;
    case ErrorKind::unknown_option:
      return PyExc_TypeError;
    case ErrorKind::missing_file:
      return PyExc_FileNotFoundError;
    case ErrorKind::io:
      return PyExc_OSError;
  }
  return PyExc_OSError;
}

}  // namespace

void raise(const Error& error) {
  PyErr_SetObject(exception_for(error.kind), to_str(error.message).ptr());
  throw nb::python_error();
}

}  // namespace codecarbon::python
