#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "codecarbon/sink.hpp"
#include "handlers.hpp"

namespace codecarbon::python {

/// A sink written in Python: an object with `write(values)`, `write_live(values)` and
/// `write_tasks(rows)`, whose values are texts in the order of the extended columns and of the
/// columns of tasks. `live_every` (an int above 0) is how many samples lie between two calls of
/// `write_live`, `name` (a str) what it is called in messages; it may have neither, nor `exit()`,
/// which is called after all that a stop has written.
///
/// An exception of it becomes one of C++, which the engine says once. Where the interpreter is gone
/// what would be written is dropped.
class PySink final : public Sink {
 public:
  /// The `index`-th sink of `handlers`. Needs the interpreter lock; throws what the attributes do.
  PySink(std::shared_ptr<Handlers> handlers, std::size_t index);

  std::string_view name() const override { return name_; }
  int live_every() const override { return live_every_; }
  Status write(const Report& report) override;
  Status write_live(const Report& report) override;
  Status write_tasks(std::span<const TaskReport> tasks) override;
  Status finish() override;

 private:
  /// Calls `use` with the sink and the lock held; not where there is none any more.
  template <class Use>
  Status with_sink(const Use& use);

  std::shared_ptr<Handlers> handlers_;
  std::size_t index_;
  std::string name_;
  int live_every_;
};

}  // namespace codecarbon::python
