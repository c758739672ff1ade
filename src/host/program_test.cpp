#include "host/program.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "host/machine_copy.hpp"

namespace codecarbon {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

class ProgramTest : public testing::Test {
 protected:
  Result<std::string> run(const std::string& script, const ProgramBounds& bounds = {},
                          const std::vector<std::string>& arguments = {}) const {
    folder_.write("program", "#!/bin/sh\n" + script + "\n");
    const auto program = folder_.root() / "program";
    std::filesystem::permissions(program, std::filesystem::perms(0755));
    return output_of(program, arguments, environment(), bounds);
  }
  /// Nothing of it is left, running or as a zombie.
  static void expect_no_child() {
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  }

  static Environment environment() {
    return Environment(std::map<std::string, std::string, std::less<>>{{"GREETING", "hello"},
                                                                       {"PATH", "/usr/bin:/bin"}});
  }

  testing_support::MachineCopy folder_;
};

TEST_F(ProgramTest, GivesWhatWasWrittenAndNoErrors) {
  EXPECT_EQ(run("echo $GREETING \"$1\"; echo trouble >&2", {}, {"a b"}).value(), "hello a b\n");
  EXPECT_EQ(run("cat").value(), "") << "no input to wait for";
  EXPECT_EQ(run("true").value(), "");
  expect_no_child();
}

TEST_F(ProgramTest, AFailureIsSaidAndNamesTheProgram) {
  for (const char* script : {"echo half; exit 3", "kill -9 $$", "exec /no/such/program"}) {
    const auto output = run(script);
    ASSERT_FALSE(output) << script;
    EXPECT_NE(output.error().message.find("program failed"), std::string::npos);
  }
  const auto missing = output_of(folder_.root() / "none", {}, {}, {});
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("No such file"), std::string::npos);
  expect_no_child();
}

TEST_F(ProgramTest, OneThatHangsIsEndedWithWhatItStarted) {
  const auto begin = steady_clock::now();
  EXPECT_FALSE(run("echo begun; sleep 100 & sleep 100; wait", {milliseconds(100), 1000}));
  EXPECT_FALSE(run("trap '' TERM INT HUP; while :; do :; done", {milliseconds(100), 1000}));
  EXPECT_LT(steady_clock::now() - begin, std::chrono::seconds(5));
  expect_no_child();
}

TEST_F(ProgramTest, OneThatWritesWithoutEndIsEnded) {
  EXPECT_FALSE(run("yes", {std::chrono::seconds(60), 100'000}));
  EXPECT_EQ(run("printf 12345", {std::chrono::seconds(60), 5}).value(), "12345");
  EXPECT_FALSE(run("printf 123456", {std::chrono::seconds(60), 5}));
  expect_no_child();
}

TEST_F(ProgramTest, LivesInAProgramThatIgnoresOrBlocksSignals) {
  struct sigaction ignore {};
  struct sigaction before {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGCHLD, &ignore, &before);
  EXPECT_EQ(run("echo fine").value(), "fine\n") << "its status goes to nobody";
  ::sigaction(SIGCHLD, &before, nullptr);
  expect_no_child();
}

}  // namespace
}  // namespace codecarbon
