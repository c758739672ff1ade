#include "child_process.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>

namespace codecarbon::cli {
namespace {

namespace fs = std::filesystem;

class FindProgram : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "launch-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    fs::create_directories(folder_ / "a");
    fs::create_directories(folder_ / "b");
    path_ = (folder_ / "a").string() + ":" + (folder_ / "b").string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const fs::path& name, std::string_view text, bool executable) {
    const fs::path file = folder_ / name;
    std::ofstream(file) << text;
    chmod(file.c_str(), executable ? 0755 : 0644);
    return file.string();
  }
  int code_of(const std::string& name) {
    const auto file = find_program(name, path_);
    return file ? 0 : file.error().exit_code;
  }

  fs::path folder_;
  std::string path_;
};

TEST_F(FindProgram, LaterFolderHasItWhereAnEarlierOneMayNotRunIt) {
  write("a/tool", "", false);
  EXPECT_EQ(code_of("tool"), kExitNotExecutable);
  write("b/tool", "", true);
  EXPECT_EQ(find_program("tool", path_).value_or(""), (folder_ / "b/tool").string());
}

TEST_F(FindProgram, FolderOfThatNameIsNoProgram) {
  fs::create_directories(folder_ / "a" / "tool");
  EXPECT_EQ(code_of("tool"), kExitNotExecutable);
  EXPECT_EQ(code_of("other"), kExitNotFound);
  EXPECT_EQ(code_of(""), kExitNotFound);
}

TEST_F(FindProgram, NameWithASlashIsNotLookedUp) {
  write("a/tool", "", true);
  EXPECT_EQ(code_of("./tool"), kExitNotFound);
  EXPECT_EQ(code_of((folder_ / "a/tool").string()), 0);
}

TEST_F(FindProgram, ScriptNeedsItsInterpreter) {
  EXPECT_EQ(code_of(write("s1", "#!/bin/sh -e\n", true)), 0);
  EXPECT_EQ(code_of(write("s2", "#! /bin/sh", true)), 0);
  EXPECT_EQ(code_of(write("s3", "#!/no/such\n", true)), kExitNotFound);
  EXPECT_EQ(code_of(write("s4", "#!" + folder_.string() + "\n", true)), kExitNotExecutable);
  EXPECT_EQ(code_of(write("s5", "#!", true)), 0);
}

/// A shell that leaves a job behind and ends with 7.
class LeftBehind : public testing::Test {
 protected:
  void TearDown() override { prctl(PR_SET_CHILD_SUBREAPER, 0); }

  static bool have_children() {
    return waitid(P_ALL, 0, nullptr, WEXITED | WNOHANG | WNOWAIT) == 0;
  }
  static void run(Orphans orphans) {
    sigset_t mask;
    sigemptyset(&mask);
    // The subshell ends at once, so that what it started has no parent.
    auto child =
        ChildProcess::start("/bin/sh", {"sh", "-c", "(sleep 0.05 &); exit 7"}, mask, orphans);
    ASSERT_TRUE(child);
    while (!child->poll_exit()) sched_yield();
    EXPECT_EQ(child->poll_exit(), 7);
    EXPECT_EQ(have_children(), orphans == Orphans::adopted);
    while (have_children()) {
      EXPECT_EQ(child->poll_exit(), 7) << "another's end is not the program's";
      sched_yield();
    }
  }
};

TEST_F(LeftBehind, IsAdoptedAndLetGoWhereThatIsWanted) {
  run(Orphans::adopted);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  run(Orphans::as_usual);
}

}  // namespace
}  // namespace codecarbon::cli
