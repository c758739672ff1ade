#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "codecarbon/log.hpp"

namespace codecarbon::python {

namespace nb = nanobind;

/// The Python objects that one tracker calls. They belong to two: the engine, which calls them, and
/// the tracker's Python object, which shows them to the garbage collector. All functions need the
/// interpreter lock, but the destructor, which takes it.
class Handlers {
 public:
  Handlers(nb::object log, std::vector<nb::object> sinks);
  Handlers(const Handlers&) = delete;
  Handlers& operator=(const Handlers&) = delete;
  ~Handlers();

  /// None after `clear`.
  nb::object log() const;
  nb::object sink(std::size_t index) const;

  /// For the garbage collector.
  int traverse(visitproc visit, void* arg) const;
  void clear();

 private:
  nb::object at(std::size_t index) const;

  mutable nb::ft_mutex mutex_;       // does nothing where there is an interpreter lock
  std::vector<nb::object> objects_;  // the log first
};

/// Calls `handlers.log()` with a line, if that can still be done. What it raises goes no further.
void call_log(const Handlers& handlers, LogLevel level, std::string_view line);

}  // namespace codecarbon::python
