#include "sinks/csv_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>

#include "sinks/csv_text.hpp"
#include "sinks/test_folder.hpp"

namespace codecarbon {
namespace {

using testing::content;
using testing::put_content;
using testing::TestFolder;

constexpr std::array<std::string_view, 3> kColumns{"name", "run_id", "value"};
constexpr std::string_view kHead = "name,run_id,value\n";

std::vector<Cell> row(std::string name, std::string run_id, std::string value) {
  return {{"name", std::move(name)}, {"run_id", std::move(run_id)}, {"value", std::move(value)}};
}

class CsvFileTest : public ::testing::Test {
 protected:
  CsvFile open(FileCalls calls = {}) {
    return CsvFile({.path = path_,
                    .columns = kColumns,
                    .host_name = "node7",
                    .lock_folder = folder_.path(),
                    .calls = std::move(calls)},
                   logger_);
  }

  /// What a file that holds `text` holds after `row(a,r,1)` was appended to it.
  std::string after_append(std::string_view text) {
    put_content(path_, text);
    EXPECT_TRUE(open().append(row("a", "r", "1")));
    return content(path_);
  }

  std::size_t said(LogLevel level, std::string_view part) const {
    return static_cast<std::size_t>(std::count_if(log_.begin(), log_.end(), [&](const auto& line) {
      return line.first == level && line.second.find(part) != std::string::npos;
    }));
  }

  TestFolder folder_;
  std::filesystem::path path_ = folder_ / "emissions.csv";
  std::vector<std::pair<LogLevel, std::string>> log_;
  std::shared_ptr<const Logger> logger_ = std::make_shared<Logger>(
      [this](LogLevel level, std::string_view text) { log_.emplace_back(level, text); },
      LogLevel::debug);
};

TEST_F(CsvFileTest, NewAndEmptyFilesGetAHeaderOnce) {
  CsvFile file = open();
  ASSERT_TRUE(file.append(row("007", "r", "")));
  ASSERT_TRUE(file.append(row("b", "r", "2")));
  EXPECT_EQ(content(path_), std::string(kHead) + "007,r,\nb,r,2\n");
  const std::string expected = std::string(kHead) + "a,r,1\n";
  for (const char* empty : {"", "\n\n", "\r\n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(after_append(empty), expected);
  }
  EXPECT_TRUE(log_.empty());
}

TEST_F(CsvFileTest, WritesByTheFilesOwnOrderAndLineEnds) {
  EXPECT_EQ(after_append("value,name,run_id\n9,x,q\n"), "value,name,run_id\n9,x,q\n1,a,r\n");
  EXPECT_EQ(after_append("name,run_id,value\r\n"), "name,run_id,value\r\na,r,1\r\n");
  EXPECT_EQ(after_append("\xEF\xBB\xBF\"name\",run_id,value\n"),
            "\xEF\xBB\xBF\"name\",run_id,value\na,r,1\n");
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"emissions.csv"});
}

TEST_F(CsvFileTest, MendsAMissingLastLineEnd) {
  EXPECT_EQ(after_append("name,run_id,value"), "name,run_id,value\na,r,1\n");
  EXPECT_EQ(after_append("name,run_id,value\r\nx,q,9"), "name,run_id,value\r\nx,q,9\r\na,r,1\r\n");
}

TEST_F(CsvFileTest, OtherColumnsAreMovedAsideOnceAndNumbered) {
  for (int i = 0; i < 3; ++i) {
    put_content(path_, "other,columns\n");
    CsvFile file = open();
    ASSERT_TRUE(file.append(row("a", "r", "1")));
    ASSERT_TRUE(file.append(row("b", "r", "2")));
    EXPECT_EQ(content(path_), std::string(kHead) + "a,r,1\nb,r,2\n");
  }
  EXPECT_EQ(folder_.names(),
            (std::vector<std::string>{"emissions.csv", "emissions.csv.bak", "emissions.csv.bak.1",
                                      "emissions.csv.bak.2"}));
  EXPECT_EQ(content(folder_ / "emissions.csv.bak.2"), "other,columns\n");
  EXPECT_EQ(said(LogLevel::warning, "other columns"), 3U);
}

TEST_F(CsvFileTest, ColumnsMustBeTheSameSet) {
  using namespace std::string_view_literals;
  for (const auto head : {"name,run_id\n"sv, "name,run_id,value,more\n"sv, "name,name,value\n"sv,
                          "name,run_id,Value\n"sv, "\0\x01\xff garbage"sv}) {
    put_content(path_, head);
    ASSERT_TRUE(open().append(row("a", "r", "1")));
    EXPECT_EQ(content(path_), std::string(kHead) + "a,r,1\n") << head;
  }
  EXPECT_EQ(said(LogLevel::warning, "moved to"), 5U);
}

TEST_F(CsvFileTest, RunsWithoutEndAndTextOfAllKindsNeverMoveTheFile) {
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(open().append(row("a,\"b\"\nc\xC3\xA9", "r", "")));
  }
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"emissions.csv"});
  for (const CsvRecord& record : decode_csv(content(path_))) EXPECT_EQ(record.size(), 3U);
}

TEST_F(CsvFileTest, UpdateReplacesTheOneRowAndLeavesOthersAsTheyStand) {
  put_content(path_, std::string(kHead) + "007,x,\n\"a\",mine,0\n0.10,y,\n");
  CsvFile file = open();
  for (const char* value : {"0", "0.0123", ""}) {
    ASSERT_TRUE(file.update(row("007", "mine", value), "run_id"));
    EXPECT_EQ(content(path_), std::string(kHead) + "007,x,\n0.10,y,\n007,mine," + value + "\n");
  }
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"emissions.csv"});
}

TEST_F(CsvFileTest, UpdateLeavesOneRowOfARunThatAppendedMany) {
  put_content(path_, std::string(kHead) + "a,mine,1\nb,x,2\nc,mine,3\nd,mine,4");
  ASSERT_TRUE(open().update(row("e", "mine", "5"), "run_id"));
  EXPECT_EQ(content(path_), std::string(kHead) + "b,x,2\ne,mine,5\n");
}

TEST_F(CsvFileTest, UpdateWorksByTheFilesOrderAndLineEndsAndMendsTheLast) {
  put_content(path_, "run_id,value,name\r\nmine,1,a\r\nx,2,b");
  ASSERT_TRUE(open().update(row("c", "mine", "3"), "run_id"));
  EXPECT_EQ(content(path_), "run_id,value,name\r\nx,2,b\r\nmine,3,c\r\n");
}

TEST_F(CsvFileTest, UpdateOfARowFarFromTheEndKeepsTheRestAndTheFilesMode) {
  std::string others;
  for (int i = 0; i < 20'000; ++i) others += "n,run-" + std::to_string(i) + ",\"x,\"\"\n\"\n";
  put_content(path_, std::string(kHead) + "a,mine,1\n" + others);
  ASSERT_EQ(::chmod(path_.c_str(), 0640), 0);
  CsvFile file = open();
  ASSERT_TRUE(file.update(row("b", "mine", "2"), "run_id"));
  EXPECT_EQ(content(path_), std::string(kHead) + others + "b,mine,2\n");
  EXPECT_EQ(std::filesystem::status(path_).permissions(), std::filesystem::perms(0640));
  ASSERT_TRUE(file.update(row("c", "mine", "3"), "run_id"));
  EXPECT_EQ(content(path_), std::string(kHead) + others + "c,mine,3\n");
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"emissions.csv"});
}

TEST_F(CsvFileTest, AnyMixOfWritersLeavesOneRowPerRunInTheOrderOfTheirLastWriting) {
  EXPECT_TRUE(rc::check([this] {
    std::filesystem::remove(path_);
    std::vector<CsvFile> writers;
    for (int i = 0; i < 3; ++i) writers.push_back(open());
    std::vector<CsvRecord> expected;
    for (int step = *rc::gen::inRange(1, 12); step > 0; --step) {
      const auto text = *rc::gen::container<std::string>(rc::gen::element('a', ',', '"', '\n'));
      const auto run = *rc::gen::element<std::string>("r1", "r2", "r\"3");
      const auto writer = *rc::gen::inRange<std::size_t>(0, writers.size());
      RC_ASSERT(writers[writer].update(row(text, run, text), "run_id").has_value());
      std::erase_if(expected, [&](const CsvRecord& record) { return record[1] == run; });
      expected.push_back({text, run, text});
    }
    auto records = decode_csv(content(path_));
    records.erase(records.begin());
    RC_ASSERT(records == expected);
  }));
}

/// Takes some bytes and then no more, like a full disk.
FileCalls full_after(std::size_t room) {
  FileCalls calls;
  calls.write = [room](int fd, const void* data, std::size_t size) mutable -> ssize_t {
    if (room == 0) {
      errno = ENOSPC;
      return -1;
    }
    const ssize_t written = ::write(fd, data, std::min(size, room));
    if (written > 0) room -= static_cast<std::size_t>(written);
    return written;
  };
  return calls;
}

TEST_F(CsvFileTest, AFullDiskLeavesTheFileAsItWas) {
  const std::string before = std::string(kHead) + "x,q,9\na,mine,1\n";
  for (std::size_t room = 0; room < 6; ++room) {
    put_content(path_, before);
    const Status appended = open(full_after(room)).append(row("b", "r", "2"));
    ASSERT_FALSE(appended);
    EXPECT_NE(appended.error().message.find("No space left"), std::string::npos);
    EXPECT_EQ(content(path_), before);
  }
  for (std::size_t room = 0; room < 70; ++room) {
    put_content(path_, before);
    EXPECT_FALSE(open(full_after(room)).update(row("longer", "mine", "2.000"), "run_id")) << room;
    ASSERT_TRUE(open().append(row("b", "r", "2")));
    const std::string after = content(path_);
    const bool old_row = after == before + "b,r,2\n";
    const bool new_row = after == std::string(kHead) + "x,q,9\nlonger,mine,2.000\nb,r,2\n";
    EXPECT_TRUE(old_row || new_row) << room << "\n" << after;
    EXPECT_EQ(folder_.names(), std::vector<std::string>{"emissions.csv"});
  }
}

/// Ends the process with a kill after so many bytes.
FileCalls killed_after(std::size_t room) {
  FileCalls calls;
  calls.write = [room](int fd, const void* data, std::size_t size) mutable -> ssize_t {
    const ssize_t written = ::write(fd, data, std::min(size, room));
    if (size >= room) ::raise(SIGKILL);
    room -= size;
    return written;
  };
  return calls;
}

TEST_F(CsvFileTest, AKillAtAnyByteOfAnUpdateLeavesTheOldRowOrTheNew) {
  const std::string head(kHead);
  const std::string old_rows = head + "a,mine,1\nx,q,9\n";
  const std::string new_rows = head + "x,q,9\nlonger,mine,2.000\n";
  bool finished = false;
  for (std::size_t room = 1; !finished; ++room) {
    put_content(path_, old_rows);
    const pid_t child = ::fork();
    if (child == 0) {
      ::_exit(open(killed_after(room)).update(row("longer", "mine", "2.000"), "run_id") ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    finished = WIFEXITED(status);
    ASSERT_TRUE(open().append(row("b", "r", "2")));
    const std::string after = content(path_);
    EXPECT_TRUE(after == old_rows + "b,r,2\n" || after == new_rows + "b,r,2\n") << after;
    EXPECT_EQ(folder_.names(), std::vector<std::string>{"emissions.csv"});
  }
  EXPECT_EQ(content(path_), new_rows + "b,r,2\n");
}

TEST_F(CsvFileTest, AFullDiskOrAKillWhileTheFileIsCopiedLeavesTheFileAsItWas) {
  std::string before = std::string(kHead) + "a,mine,1\n";
  for (int i = 0; i < 10'000; ++i) before += "n,run-" + std::to_string(i) + ",5\n";
  for (const bool killed : {false, true}) {
    for (int sent = 0; sent < 3; ++sent) {
      put_content(path_, before);
      FileCalls calls;
      calls.send = [sent, killed](int to, int from, off_t* at, std::size_t size) mutable {
        if (sent-- > 0) return ::sendfile(to, from, at, size / 2);
        if (killed) ::raise(SIGKILL);
        errno = ENOSPC;
        return ssize_t{-1};
      };
      const pid_t child = ::fork();
      if (child == 0) ::_exit(open(calls).update(row("b", "mine", "2"), "run_id") ? 0 : 7);
      int status = 0;
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      EXPECT_TRUE(killed ? WIFSIGNALED(status) : WIFEXITED(status) && WEXITSTATUS(status) == 7);
      EXPECT_EQ(content(path_), before);
    }
  }
  // What the killed one left is used up by the next.
  ASSERT_TRUE(open().update(row("b", "mine", "2"), "run_id"));
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"emissions.csv"});
}

TEST_F(CsvFileTest, ALimitOnFileSizesIsAFailureAndNoSignal) {
  put_content(path_, std::string(kHead));
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{20, 20};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const bool refused =
        !open().append(row("a", "r", "1")) && !open().update(row("a", "r", "1"), "run_id");
    ::_exit(refused ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(content(path_), kHead);
}

TEST_F(CsvFileTest, AVanishedFolderIsAFailureUntilItIsBack) {
  path_ = folder_ / "gone" / "emissions.csv";
  CsvFile file = open();
  const Status refused = file.append(row("a", "r", "1"));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find(path_.string()), std::string::npos);
  std::filesystem::create_directory(folder_ / "gone");
  EXPECT_TRUE(file.append(row("a", "r", "1")));
}

TEST_F(CsvFileTest, WhatIsNoFileIsRefused) {
  std::filesystem::create_directory(path_);
  EXPECT_FALSE(open().append(row("a", "r", "1")));
}

TEST_F(CsvFileTest, WithoutLocksEachHostHasItsOwnFileAndSaysSo) {
  for (const int code : {ENOLCK, EOPNOTSUPP, EINVAL, ENOSYS}) {
    FileCalls calls;
    calls.lock = [this, code](int fd, int operation) {
      const auto link = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd));
      if (link != path_) return ::flock(fd, operation);
      errno = code;
      return -1;
    };
    CsvFile file = open(calls);
    EXPECT_TRUE(file.append(row("a", "r", "1")));
    EXPECT_TRUE(file.update(row("b", "r", "2"), "run_id"));
  }
  EXPECT_EQ(content(path_), "");
  const auto records = decode_csv(content(folder_ / "emissions.node7.csv"));
  EXPECT_EQ(records, (std::vector<CsvRecord>{{"name", "run_id", "value"}, {"b", "r", "2"}}));
  EXPECT_EQ(said(LogLevel::warning, "emissions.node7.csv"), 4U);
}

TEST_F(CsvFileTest, AJournalOfAnotherFileOrHalfAJournalIsVoid) {
  const std::string before = std::string(kHead) + "a,r,1\n";
  for (const std::string journal :
       {"", "cctail01", "cctail01 and then something that is too long"}) {
    put_content(path_, before);
    put_content(folder_ / ".emissions.csv.tail", journal);
    ASSERT_TRUE(open().append(row("b", "r", "2")));
    EXPECT_EQ(content(path_), before + "b,r,2\n");
    EXPECT_EQ(folder_.names(), std::vector<std::string>{"emissions.csv"});
  }
}

TEST_F(CsvFileTest, ARowTornAtAPageIsTakenAwayAndSaid) {
  const std::string whole = std::string(kHead) + "x,q,9\n";
  std::string torn = "half \"\"a\n,row\n";
  torn = "\"" + std::string(4095 - whole.size() - torn.size(), 't') + torn;
  ASSERT_EQ((whole + torn).size(), 4096U);
  EXPECT_EQ(after_append(whole + torn), whole + "a,r,1\n");
  EXPECT_EQ(said(LogLevel::warning, "half-written"), 1U);
}

/// Whatever a writer that was killed left of its row, the rows before it and the one after it are
/// read as they were written.
TEST_F(CsvFileTest, AFileThatIsCutAnywhereLosesNoOtherRow) {
  for (const std::string end : {"\n", "\r\n"}) {
    const std::string whole = "name,run_id,value" + end + "\"x, \"\"1\"\"\",q,9" + end;
    const std::string last = "\"y," + end + end + " \"\"2\"\"\",\"p,2\",\"8, \"\"\"" + end;
    for (std::size_t cut = 0; cut <= last.size(); ++cut) {
      for (const bool update : {false, true}) {
        put_content(path_, whole + last.substr(0, cut));
        ASSERT_TRUE(update ? open().update(row("a", "r", "1"), "run_id")
                           : open().append(row("a", "r", "1")));
        const auto records = decode_csv(content(path_));
        ASSERT_GE(records.size(), 3U) << cut;
        EXPECT_EQ(records[1], (CsvRecord{"x, \"1\"", "q", "9"})) << cut;
        EXPECT_EQ(records.back(), (CsvRecord{"a", "r", "1"})) << cut;
        EXPECT_LE(records.size(), 4U) << cut;
        if (cut + end.size() >= last.size()) {
          EXPECT_EQ(records[2], (CsvRecord{"y," + end + end + " \"2\"", "p,2", "8, \""})) << cut;
        }
      }
    }
  }
}

TEST_F(CsvFileTest, ALineEndThatWasCutInTwoIsCompleted) {
  EXPECT_EQ(after_append("name,run_id,value\r\nx,q,9\r"),
            "name,run_id,value\r\nx,q,9\r\na,r,1\r\n");
  EXPECT_EQ(after_append("name,run_id,value\r"), "name,run_id,value\r\na,r,1\r\n");
  EXPECT_TRUE(log_.empty());
}

TEST_F(CsvFileTest, AFullDiskLeavesNoEmptyFileOfOursBehind) {
  EXPECT_FALSE(open(full_after(0)).append(row("a", "r", "1")));
  EXPECT_FALSE(open(full_after(1)).update(row("a", "r", "1"), "run_id"));
  EXPECT_TRUE(folder_.names().empty());
  put_content(path_, "");
  EXPECT_FALSE(open(full_after(0)).append(row("a", "r", "1")));
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"emissions.csv"});
}

TEST_F(CsvFileTest, AWholeRowWithoutLineEndThatEndsAtAPageIsKept) {
  for (const std::string last : {"9", "0.5", "-1e-05", "text", "v2.", "\"a, \"\"b\"\"\n\""}) {
    std::string whole = std::string(kHead) + "x,q,9\n";
    whole += std::string(4096 - whole.size() - 3 - last.size(), 't') + ",q," + last;
    ASSERT_EQ(whole.size(), 4096U);
    EXPECT_EQ(after_append(whole), whole + "\na,r,1\n");
  }
  EXPECT_TRUE(log_.empty());
}

TEST_F(CsvFileTest, ARowThatIsTakenAwayIsSaidWhole) {
  // Too few fields, or the last one ends where no value does.
  for (const std::string end : {"", "q", "q,", "q,0.", "q,1e", "q,1e-", "q,-", "q,\"open"}) {
    const std::string whole = std::string(kHead) + "x,q,9\n";
    const std::string torn = std::string(4096 - whole.size() - 1 - end.size(), 't') + "," + end;
    ASSERT_EQ((whole + torn).size(), 4096U);
    log_.clear();
    EXPECT_EQ(after_append(whole + torn), whole + "a,r,1\n");
    EXPECT_EQ(said(LogLevel::warning, torn), 1U) << end;
  }
}

TEST_F(CsvFileTest, AFileThatIsLockedElsewhereIsGivenUpAndTakesTheRowLater) {
  put_content(path_, kHead);
  CsvFile file = open();
  file.set_patience(std::chrono::milliseconds(0));
  {
    const Fd other(::open(path_.c_str(), O_RDWR | O_CLOEXEC));
    ASSERT_EQ(::flock(other.get(), LOCK_EX), 0);
    for (int i = 0; i < 2; ++i) {
      const Status refused = file.append(row("a", "r", "1"));
      ASSERT_FALSE(refused);
      EXPECT_NE(refused.error().message.find("another process holds its lock"), std::string::npos);
      EXPECT_FALSE(file.update(row("a", "r", "1"), "run_id"));
    }
  }
  EXPECT_EQ(content(path_), kHead);
  EXPECT_TRUE(file.append(row("a", "r", "1")));
  EXPECT_EQ(content(path_), std::string(kHead) + "a,r,1\n");
}

TEST_F(CsvFileTest, ADeviceTakesTheRowsOrSaysWhyNot) {
  std::filesystem::create_symlink("/dev/full", path_);
  const Status full = open().append(row("a", "r", "1"));
  ASSERT_FALSE(full);
  EXPECT_NE(full.error().message.find("No space left on device"), std::string::npos);

  path_ = "/dev/null";
  std::string text;
  FileCalls calls;
  calls.write = [&](int, const void* data, std::size_t size) {
    text.append(static_cast<const char*>(data), size);
    return static_cast<ssize_t>(size);
  };
  CsvFile file = open(calls);
  EXPECT_TRUE(file.append(row("a", "r", "1")));
  EXPECT_TRUE(file.update(row("b", "r", "2"), "run_id"));
  EXPECT_EQ(text, std::string(kHead) + "a,r,1\nb,r,2\n");
}

TEST_F(CsvFileTest, AHookThatThrowsDoesNotMakeAWrittenRowAFailure) {
  put_content(path_, "other,columns\n");
  logger_ = std::make_shared<Logger>([](LogLevel, std::string_view) { throw 7; }, LogLevel::debug);
  EXPECT_TRUE(open().append(row("a", "r", "1")));
  EXPECT_EQ(content(path_), std::string(kHead) + "a,r,1\n");
}

TEST_F(CsvFileTest, AWholeFileThatEndsAtAPageIsLeftAlone) {
  std::string whole = std::string(kHead);
  whole += std::string(4096 - whole.size() - 5, 't') + ",q,9\n";
  ASSERT_EQ(whole.size(), 4096U);
  EXPECT_EQ(after_append(whole), whole + "a,r,1\n");
  EXPECT_TRUE(log_.empty());
}

TEST_F(CsvFileTest, TheLockEndsWithTheCallEvenIfAChildWasForkedMeanwhile) {
  std::array<int, 2> hold{};
  ASSERT_EQ(::pipe(hold.data()), 0);
  pid_t child = 0;
  FileCalls calls;
  calls.write = [&](int fd, const void* data, std::size_t size) {
    child = ::fork();
    if (child == 0) {
      char byte = 0;
      ::close(hold[1]);
      [[maybe_unused]] const auto ended = ::read(hold[0], &byte, 1);
      ::_exit(0);
    }
    return ::write(fd, data, size);
  };
  EXPECT_TRUE(open(calls).append(row("a", "r", "1")));
  const Fd probe(::open(path_.c_str(), O_RDWR | O_CLOEXEC));
  EXPECT_EQ(::flock(probe.get(), LOCK_EX | LOCK_NB), 0);
  ::close(hold[1]);
  ::close(hold[0]);
  ::waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace codecarbon
