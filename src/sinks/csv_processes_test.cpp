#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "sinks/csv_file.hpp"
#include "sinks/csv_text.hpp"
#include "sinks/test_folder.hpp"

namespace codecarbon {
namespace {

using testing::content;
using testing::TestFolder;

constexpr std::array<std::string_view, 3> kColumns{"name", "run_id", "value"};
constexpr int kWriters = 8;
constexpr int kRows = 200;

CsvFile open_file(const std::filesystem::path& path) {
  return CsvFile(
      {.path = path, .columns = kColumns, .host_name = "host", .patience = std::chrono::minutes(5)},
      std::make_shared<Logger>());
}

std::vector<Cell> row(std::string name, int writer, int number) {
  return {{"name", std::move(name)},
          {"run_id", "run-" + std::to_string(writer)},
          {"value", std::to_string(number)}};
}

/// A child process that tells by a pipe which numbers it was told are written.
struct Writer {
  pid_t pid = 0;
  Fd acknowledgements;
};

Writer start_writer(int rows, const std::function<bool(int number)>& write) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return {};
  Writer writer{::fork(), Fd(ends[0])};
  if (writer.pid == 0) {
    for (int number = 0; number < rows; ++number) {
      if (!write(number)) ::_exit(1);
      if (::write(ends[1], &number, sizeof number) != sizeof number) ::_exit(2);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  return writer;
}

/// Reads until the writer has told `enough` numbers or has ended.
int read_acknowledged(const Writer& writer, int enough) {
  int count = 0;
  for (int number = 0; count < enough; ++count) {
    if (::read(writer.acknowledgements.get(), &number, sizeof number) != sizeof number) break;
  }
  return count;
}

using Write = std::function<bool(int writer, int number)>;

/// Each writes `rows` rows, every third is killed somewhere on the way; returns how many rows each
/// was told are written.
std::vector<int> run_writers(int rows, std::mt19937& random, const Write& write) {
  std::vector<Writer> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.push_back(start_writer(rows, [&write, i](int number) { return write(i, number); }));
  }
  std::vector<int> acknowledged(writers.size());
  for (std::size_t i = 0; i < writers.size(); i += 3) {
    const int enough = std::uniform_int_distribution(1, rows)(random);
    acknowledged[i] = read_acknowledged(writers[i], enough);
    ::kill(writers[i].pid, SIGKILL);
  }
  for (std::size_t i = 0; i < writers.size(); ++i) {
    acknowledged[i] += read_acknowledged(writers[i], rows);
    int status = 0;
    ::waitpid(writers[i].pid, &status, 0);
    EXPECT_TRUE(i % 3 == 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) << status;
  }
  return acknowledged;
}

std::vector<CsvRecord> rows_of(const std::filesystem::path& path) {
  auto records = decode_csv(content(path));
  EXPECT_FALSE(records.empty());
  if (!records.empty()) records.erase(records.begin());
  for (const CsvRecord& record : records) EXPECT_EQ(record.size(), kColumns.size());
  return records;
}

void expect_all_once(const std::vector<CsvRecord>& rows, const std::vector<int>& acknowledged) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const CsvRecord& record : rows) {
    EXPECT_TRUE(seen.emplace(record[1], record[2]).second) << record[1] << " " << record[2];
  }
  for (std::size_t i = 0; i < acknowledged.size(); ++i) {
    for (int number = 0; number < acknowledged[i]; ++number) {
      EXPECT_TRUE(seen.count({"run-" + std::to_string(i), std::to_string(number)}));
    }
  }
}

TEST(CsvProcesses, AppendsOfManyOfWhichSomeAreKilledAreAllThereOnce) {
  std::mt19937 random(1);
  const TestFolder folder;
  const auto path = folder / "f.csv";
  const auto acknowledged = run_writers(kRows, random, [&](int writer, int number) {
    return open_file(path).append(row("a,\n\"b\"", writer, number)).has_value();
  });
  ASSERT_TRUE(open_file(path).append(row("last", kWriters, 0)));
  expect_all_once(rows_of(path), acknowledged);
}

TEST(CsvProcesses, AKilledWriteEndsAtAPage) {
  // What drop_torn_row relies on: the kernel looks for fatal signals between pages.
  constexpr std::size_t kLength = 50'001;
  std::mt19937 random(5);
  const TestFolder folder;
  for (int round = 0; round < 100; ++round) {
    const auto path = folder / std::to_string(round);
    const Writer writer = start_writer(1000, [&](int) {
      const Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600));
      return ::write(fd.get(), std::string(kLength, 'x').data(), kLength) == kLength;
    });
    read_acknowledged(writer, std::uniform_int_distribution(1, 20)(random));
    ::kill(writer.pid, SIGKILL);
    ::waitpid(writer.pid, nullptr, 0);
    const std::size_t size = std::filesystem::file_size(path);
    EXPECT_TRUE(size % kLength == 0 || size % 4096 == 0) << size;
  }
}

TEST(CsvProcesses, KillsInTheMiddleOfLongWritesLeaveNoTornRow) {
  // Long rows: a kill nearly always falls into the write itself.
  constexpr int kLongRows = 20;
  std::mt19937 random(2);
  const TestFolder folder;
  std::string name;
  for (int i = 0; i < 12'000; ++i) name += i % 500 == 0 ? "\n\"," : "long ";
  for (int round = 0; round < 8; ++round) {
    const auto path = folder / std::to_string(round);
    const auto acknowledged = run_writers(kLongRows, random, [&](int writer, int number) {
      return open_file(path).append(row(name, writer, number)).has_value();
    });
    ASSERT_TRUE(open_file(path).append(row("last", kWriters, 0)));
    const auto rows = rows_of(path);
    for (const CsvRecord& record : rows) EXPECT_TRUE(record[0] == name || record[0] == "last");
    expect_all_once(rows, acknowledged);
  }
}

TEST(CsvProcesses, UpdatesOfManyOfWhichSomeAreKilledLeaveOneRowEachAndLoseNone) {
  std::mt19937 random(3);
  const TestFolder folder;
  const auto path = folder / "f.csv";
  std::vector<CsvFile> files;
  for (int i = 0; i < kWriters; ++i) files.push_back(open_file(path));
  // Names long enough that rows are now near the file's end and now far from it.
  const auto name = [](int writer, int number) {
    return std::string(static_cast<std::size_t>(writer * number % 97) * 500, 'n') + "\n\",\"";
  };
  const auto acknowledged = run_writers(kRows, random, [&](int writer, int number) {
    auto& file = files[static_cast<std::size_t>(writer)];
    return file.update(row(name(writer, number), writer, number), "run_id").has_value();
  });
  ASSERT_TRUE(open_file(path).update(row("last", kWriters, 0), "run_id"));

  std::map<std::string, CsvRecord> by_run;
  for (const CsvRecord& record : rows_of(path)) {
    EXPECT_TRUE(by_run.emplace(record[1], record).second) << record[1];
  }
  for (int i = 0; i < kWriters; ++i) {
    const int last = acknowledged[static_cast<std::size_t>(i)] - 1;
    const auto found = by_run.find("run-" + std::to_string(i));
    ASSERT_NE(found, by_run.end());
    const int number = std::stoi(found->second[2]);
    EXPECT_TRUE(number == last || number == last + 1) << number << " after " << last;
    EXPECT_EQ(found->second[0], name(i, number));
  }
}

TEST(CsvProcesses, OfManyThatMeetOtherColumnsOneMovesTheFile) {
  std::mt19937 random(4);
  const TestFolder folder;
  testing::put_content(folder / "f.csv", "old,columns\n1,2\n");
  run_writers(5, random, [&](int writer, int number) {
    return open_file(folder / "f.csv").append(row("a", writer, number)).has_value();
  });
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"f.csv", "f.csv.bak"}));
  EXPECT_EQ(content(folder / "f.csv.bak"), "old,columns\n1,2\n");
}

TEST(CsvProcesses, WritersThatWaitForNobodyButTryAgainLoseNothing) {
  constexpr int kImpatient = 32;
  const TestFolder folder;
  std::vector<std::thread> threads;
  for (int i = 0; i < kImpatient; ++i) {
    threads.emplace_back([&folder, i] {
      CsvFile file = open_file(folder / "f.csv");
      for (int number = 0; number < kRows / 4; ++number) {
        file.set_patience(std::chrono::milliseconds(0));
        if (file.append(row("a", i, number))) continue;
        file.set_patience(std::chrono::minutes(5));
        EXPECT_TRUE(file.append(row("a", i, number)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  expect_all_once(rows_of(folder / "f.csv"), std::vector<int>(kImpatient, kRows / 4));
}

TEST(CsvProcesses, ThreadsOfOneProcessAreWritersLikeAnyOther) {
  const TestFolder folder;
  std::vector<std::thread> threads;
  for (int i = 0; i < kWriters; ++i) {
    threads.emplace_back([&folder, i] {
      CsvFile file = open_file(folder / "f.csv");
      for (int number = 0; number < kRows; ++number) {
        EXPECT_TRUE(file.append(row("a", i, number)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  expect_all_once(rows_of(folder / "f.csv"), std::vector<int>(kWriters, kRows));
}

}  // namespace
}  // namespace codecarbon
