#include "sinks/log_sink.hpp"

#include <gtest/gtest.h>

#include "codecarbon/memory_sink.hpp"
#include "report/row.hpp"

namespace codecarbon {
namespace {

TEST(LogSink, SaysOneLinePerReportAndPerTaskAtInfo) {
  std::vector<std::string> lines;
  const auto logger = std::make_shared<Logger>(
      [&](LogLevel level, std::string_view text) {
        EXPECT_EQ(level, LogLevel::info);
        lines.emplace_back(text);
      },
      LogLevel::info);
  const auto sink = make_log_sink(logger);
  const std::vector<TaskReport> tasks{{"a", {}}, {"b", {}}};
  ASSERT_TRUE(sink->write(Report{}));
  ASSERT_TRUE(sink->write_tasks(tasks));
  EXPECT_EQ(lines, (std::vector{to_json(Report{}), to_json(tasks[0]), to_json(tasks[1])}));
}

TEST(LogSink, IsQuietAboveInfoAndWithoutAHook) {
  const auto logger =
      std::make_shared<Logger>([](LogLevel, std::string_view) { FAIL(); }, LogLevel::warning);
  EXPECT_TRUE(make_log_sink(logger)->write(Report{}));
  EXPECT_TRUE(make_log_sink(std::make_shared<Logger>())->write(Report{}));
}

TEST(MemorySink, KeepsReportsInOrderAndTheLastTasks) {
  MemorySink sink;
  Report report;
  for (const char* name : {"a", "b"}) {
    report.project_name = name;
    ASSERT_TRUE(sink.write(report));
    ASSERT_TRUE(sink.write_tasks(std::vector<TaskReport>{{name, report}}));
  }
  ASSERT_EQ(sink.reports().size(), 2U);
  EXPECT_EQ(sink.reports()[1].project_name, "b");
  ASSERT_EQ(sink.tasks().size(), 1U);
  EXPECT_EQ(sink.tasks()[0].task_name, "b");
}

}  // namespace
}  // namespace codecarbon
