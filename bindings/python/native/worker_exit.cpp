#include "worker_exit.hpp"

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <atomic>

namespace codecarbon::python {
namespace {

namespace nb = nanobind;

/// Of multiprocessing's finalizers those below 0 are called last, after the worker's own children
/// have ended.
constexpr int kExitPriority = -1;

/// The process that has been looked at already.
std::atomic<pid_t> seen = 0;

}  // namespace

void finish_with_worker() {
  if (seen == ::getpid()) return;
  const nb::object modules = nb::module_::import_("sys").attr("modules");
  // Who has not loaded it is no worker, but may still fork some.
  const nb::object util = modules.attr("get")("multiprocessing.util");
  const nb::object process = modules.attr("get")("multiprocessing.process");
  if (util.is_none() || process.is_none()) return;
  seen = ::getpid();
  if (process.attr("parent_process")().is_none()) return;
  const nb::object finish_all = nb::module_::import_("codecarbon._native").attr("finish_all");
  util.attr("Finalize")(nb::none(), finish_all, nb::arg("exitpriority") = kExitPriority);
}

}  // namespace codecarbon::python
