#pragma once

#include <nanobind/nanobind.h>

namespace codecarbon::python {

/// What module.cpp puts the module together from.
void add_tracker(nanobind::module_& module);
void add_tables(nanobind::module_& module);
void add_detection(nanobind::module_& module);
void add_sources(nanobind::module_& module);
void add_csv_file(nanobind::module_& module);

}  // namespace codecarbon::python
