#pragma once

#include <mutex>
#include <vector>

#include "codecarbon/sink.hpp"

namespace codecarbon {

/// Keeps what it is given, for a program that wants the reports themselves, and for tests.
/// Thread-safe.
class MemorySink final : public Sink {
 public:
  std::string_view name() const override { return "memory"; }

  Status write(const Report& report) override {
    const std::lock_guard lock(mutex_);
    reports_.push_back(report);
    return {};
  }

  Status write_tasks(std::span<const TaskReport> tasks) override {
    const std::lock_guard lock(mutex_);
    tasks_.assign(tasks.begin(), tasks.end());
    return {};
  }

  /// All reports so far, in order.
  std::vector<Report> reports() const {
    const std::lock_guard lock(mutex_);
    return reports_;
  }

  /// The tasks as they were told last.
  std::vector<TaskReport> tasks() const {
    const std::lock_guard lock(mutex_);
    return tasks_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Report> reports_;
  std::vector<TaskReport> tasks_;
};

}  // namespace codecarbon
