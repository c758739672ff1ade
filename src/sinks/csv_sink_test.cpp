#include "sinks/csv_sink.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "report/row.hpp"
#include "sinks/csv_text.hpp"
#include "sinks/test_folder.hpp"

namespace codecarbon {
namespace {

using testing::content;
using testing::TestFolder;

Report a_report(std::string run_id) {
  Report report;
  report.run_id = std::move(run_id);
  report.experiment_name = "base";
  report.project_name = "caf\xC3\xA9, \"x\"\n2";
  report.duration = std::chrono::seconds(3);
  report.cpu.energy = Energy::from_joules(10);
  return report;
}

class CsvSinkTest : public ::testing::Test {
 protected:
  std::unique_ptr<Sink> open(CsvMode mode, CsvColumns columns = CsvColumns::standard) {
    return make_csv_sink({path_, mode, columns}, std::make_shared<Logger>());
  }

  TestFolder folder_;
  std::filesystem::path path_ = folder_ / "emissions.csv";
};

TEST_F(CsvSinkTest, ARunWithoutGpuWritesAsManyValuesAsHeaders) {
  for (int run = 0; run < 3; ++run) {
    ASSERT_TRUE(open(CsvMode::append)->write(a_report(std::to_string(run))));
  }
  const auto records = decode_csv(content(path_));
  ASSERT_EQ(records.size(), 4U);
  for (const CsvRecord& record : records) EXPECT_EQ(record.size(), 38U);
  EXPECT_EQ(records[1][1], "caf\xC3\xA9, \"x\"\n2");
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"emissions.csv"});
}

TEST_F(CsvSinkTest, UpdateKeepsOneRowPerRun) {
  const auto sink = open(CsvMode::update);
  EXPECT_TRUE(sink->replaces());
  for (const char* run_id : {"a", "b", "a", "a"}) ASSERT_TRUE(sink->write(a_report(run_id)));
  const auto records = decode_csv(content(path_));
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[1][2], "b");
  EXPECT_EQ(records[2][2], "a");
}

TEST_F(CsvSinkTest, TheExtendedColumnsAreOtherColumns) {
  ASSERT_TRUE(open(CsvMode::append)->write(a_report("a")));
  ASSERT_TRUE(open(CsvMode::append, CsvColumns::extended)->write(a_report("b")));
  const auto records = decode_csv(content(path_));
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].size(), extended_columns().size());
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"emissions.csv", "emissions.csv.bak"}));
}

TEST_F(CsvSinkTest, TasksGoBesideTheRowsWithAllColumns) {
  const auto sink = open(CsvMode::append);
  const std::vector<TaskReport> tasks{{"load", a_report("r1")}, {"train", a_report("r1")}};
  ASSERT_TRUE(sink->write_tasks({}));
  EXPECT_TRUE(folder_.names().empty());
  ASSERT_TRUE(sink->write_tasks(std::span(tasks).first(1)));
  ASSERT_TRUE(sink->write_tasks(tasks));
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"emissions_base_r1.csv"});
  const auto records = decode_csv(content(folder_ / "emissions_base_r1.csv"));
  ASSERT_EQ(records.size(), 3U);
  const auto columns = task_columns();
  EXPECT_EQ(records[0], CsvRecord(columns.begin(), columns.end()));
  EXPECT_EQ(records[2][0], "train");
  EXPECT_EQ(records[2].size(), columns.size());
}

TEST_F(CsvSinkTest, TasksThatManyWriteAtOnceAreThoseOfOneAndWhole) {
  // What a killed process of the same number left is in nobody's way.
  const std::string left = ".emissions_base_r1.csv." + std::to_string(::getpid()) + ".0.new";
  testing::put_content(folder_ / left, "half");
  std::vector<std::thread> threads;
  for (std::size_t count = 1; count <= 8; ++count) {
    threads.emplace_back([this, count] {
      const auto sink = open(CsvMode::append);
      const std::vector<TaskReport> tasks(count, {std::to_string(count), a_report("r1")});
      for (int i = 0; i < 20; ++i) EXPECT_TRUE(sink->write_tasks(tasks));
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto records = decode_csv(content(folder_ / "emissions_base_r1.csv"));
  ASSERT_GE(records.size(), 2U);
  for (std::size_t i = 1; i < records.size(); ++i) {
    EXPECT_EQ(records[i][0], std::to_string(records.size() - 1));
  }
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{left, "emissions_base_r1.csv"}));
}

TEST_F(CsvSinkTest, AWorkingFolderThatWasDeletedIsAFailureOfTheWrites) {
  std::filesystem::create_directory(folder_ / "gone");
  const pid_t child = ::fork();
  if (child == 0) {
    const bool moved = ::chdir((folder_ / "gone").c_str()) == 0;
    std::filesystem::remove(folder_ / "gone");
    path_ = "emissions.csv";
    const std::vector<TaskReport> tasks{{"t", a_report("a")}};
    const auto relative = open(CsvMode::append);
    const bool refused = !relative->write(a_report("a")) && !relative->write_tasks(tasks);
    path_ = folder_ / "emissions.csv";
    const bool taken = open(CsvMode::update)->write(a_report("a")).has_value();
    ::_exit(moved && refused && taken ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(decode_csv(content(path_)).size(), 2U);
}

TEST_F(CsvSinkTest, NamesThatAreNoFileNamesStayInTheFolder) {
  Report report = a_report("../" + std::string(300, 'r'));
  report.experiment_name = std::string("a/b\n\0c", 6);
  ASSERT_TRUE(open(CsvMode::append)->write_tasks(std::vector<TaskReport>{{"t", report}}));
  EXPECT_EQ(folder_.names(),
            std::vector<std::string>{"emissions_a_b__c_.._" + std::string(97, 'r') + ".csv"});
}

}  // namespace
}  // namespace codecarbon
