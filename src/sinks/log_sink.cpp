#include "sinks/log_sink.hpp"

#include <utility>

#include "report/row.hpp"

namespace codecarbon {
namespace {

class LogSink final : public Sink {
 public:
  explicit LogSink(std::shared_ptr<const Logger> logger) : logger_(std::move(logger)) {}

  std::string_view name() const override { return "logger"; }

  Status write(const Report& report) override {
    if (logger_->hears(LogLevel::info)) logger_->log(LogLevel::info, to_json(report));
    return {};
  }

  Status write_tasks(std::span<const TaskReport> tasks) override {
    if (!logger_->hears(LogLevel::info)) return {};
    for (const TaskReport& task : tasks) logger_->log(LogLevel::info, to_json(task));
    return {};
  }

 private:
  std::shared_ptr<const Logger> logger_;
};

}  // namespace

std::unique_ptr<Sink> make_log_sink(std::shared_ptr<const Logger> logger) {
  return std::make_unique<LogSink>(std::move(logger));
}

}  // namespace codecarbon
