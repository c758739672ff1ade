#include "sinks.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "gil.hpp"
#include "report/row.hpp"
#include "text.hpp"

namespace codecarbon::python {
namespace {

std::string name_of(nb::handle sink) {
  if (nb::hasattr(sink, "name")) return to_text(nb::getattr(sink, "name"));
  return to_text(nb::getattr(sink.type(), "__name__"));
}

int live_every_of(nb::handle sink) {
  const nb::object every = nb::getattr(sink, "live_every", nb::none());
  return every.is_none() ? 0 : nb::cast<int>(every);
}

/// "ValueError: no such bucket", on one line.
std::string in_one_line(const nb::python_error& error) {
  std::string text = "an exception that cannot be shown";
  try {
    text = to_text(nb::getattr(error.type(), "__name__"));
    text += ": " + to_text(nb::str(error.value()));
  } catch (nb::python_error&) {
    // Its own text is what failed; what was had before that is still something.
  }
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

PySink::PySink(std::shared_ptr<Handlers> handlers, std::size_t index)
    : handlers_(std::move(handlers)),
      index_(index),
      name_(name_of(handlers_->sink(index))),
      live_every_(live_every_of(handlers_->sink(index))) {}

template <class Use>
Status PySink::with_sink(const Use& use) {
  const Lock lock;
  if (!lock) return {};
  try {
    const nb::object sink = handlers_->sink(index_);
    if (!sink.is_none()) use(sink);
  } catch (nb::python_error& error) {
    if (lock.within_call() && !error.matches(PyExc_Exception)) {
      keep_pending(std::current_exception());
    } else {
      throw std::runtime_error(in_one_line(error));
    }
  } catch (std::exception&) {
    throw;
  } catch (...) {  // the unwinding of a thread whose interpreter ended
    sleep_until_process_ends();
  }
  return {};
}

Status PySink::write(const Report& report) {
  return with_sink([&](nb::handle sink) { sink.attr("write")(to_list(encode_row(report))); });
}

Status PySink::write_live(const Report& report) {
  return with_sink([&](nb::handle sink) { sink.attr("write_live")(to_list(encode_row(report))); });
}

Status PySink::write_tasks(std::span<const TaskReport> tasks) {
  return with_sink([&](nb::handle sink) {
    nb::list rows;
    for (const TaskReport& task : tasks) rows.append(to_list(encode_task_row(task)));
    sink.attr("write_tasks")(rows);
  });
}

Status PySink::finish() {
  return with_sink([](nb::handle sink) {
    if (nb::hasattr(sink, "exit")) sink.attr("exit")();
  });
}

}  // namespace codecarbon::python
