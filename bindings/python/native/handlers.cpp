#include "handlers.hpp"

#include <utility>

#include "gil.hpp"
#include "text.hpp"

namespace codecarbon::python {

Handlers::Handlers(nb::object log, std::vector<nb::object> sinks) : objects_(std::move(sinks)) {
  objects_.insert(objects_.begin(), std::move(log));
}

Handlers::~Handlers() {
  if (objects_.empty()) return;
  // Where there is no interpreter any more, the references go the way of everything of it.
  const Lock lock;
  for (nb::object& object : objects_) {
    if (!lock) object.release();
  }
  objects_.clear();
}

nb::object Handlers::at(std::size_t index) const {
  const nb::ft_lock_guard guard(mutex_);
  return index < objects_.size() ? objects_[index] : nb::none();
}

nb::object Handlers::log() const {
  return at(0);
}
nb::object Handlers::sink(std::size_t index) const {
  return at(index + 1);
}

int Handlers::traverse(visitproc visit, void* arg) const {
  for (const nb::object& object : objects_) Py_VISIT(object.ptr());
  return 0;
}

void Handlers::clear() {
  std::vector<nb::object> dropped;  // outside the guard: dropping runs any code
  const nb::ft_lock_guard guard(mutex_);
  dropped.swap(objects_);
}

void call_log(const Handlers& handlers, LogLevel level, std::string_view line) {
  const Lock lock;
  if (!lock) return;
  try {
    const nb::object log = handlers.log();
    if (!log.is_none()) log(static_cast<int>(level), to_str(line));
  } catch (nb::python_error& error) {
    if (lock.within_call() && !error.matches(PyExc_Exception)) {
      keep_pending(std::current_exception());
    } else {
      error.discard_as_unraisable("codecarbon: the log");
    }
  } catch (std::exception&) {
    throw;
  } catch (...) {  // the unwinding of a thread whose interpreter ended
    sleep_until_process_ends();
  }
}

}  // namespace codecarbon::python
