#include "node/ancestry.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <vector>

#include "host/machine_copy.hpp"

namespace codecarbon {
namespace {

/// A /proc whose processes are made up; only the number of the parent is this process's own.
class MadeUpProcesses {
 public:
  void add(int pid, int parent, std::string_view started, std::string_view variables) {
    machine_.write(fmt::format("proc/{}/stat", pid),
                   fmt::format("{} (a b) S {} 1 1 0 -1 0 0 0 0 0 1 1 1 1 20 0 1 0 {} 4096 10 0\n",
                               pid, parent, started));
    machine_.write(fmt::format("proc/{}/environ", pid), variables);
  }
  std::string launcher(std::string_view variable) const {
    return ProcessAncestry(machine_.host()).launcher(variable);
  }

 private:
  testing_support::MachineCopy machine_;
};

constexpr std::string_view kRank("HOME=/\0RANK=3\0", 14);
constexpr std::string_view kNoRank("HOME=/\0RANKS=8\0", 15);

TEST(Ancestry, TheLauncherIsTheNearestThatWasStartedWithoutTheVariable) {
  MadeUpProcesses processes;
  processes.add(::getppid(), 900, "5000", kRank);
  processes.add(900, 800, "4000", kRank);
  processes.add(800, 1, "3000", kNoRank);
  processes.add(1, 0, "1", kNoRank);
  EXPECT_TRUE(processes.launcher("RANK").starts_with("800:3000:"));
  EXPECT_TRUE(processes.launcher("").starts_with(fmt::format("{}:5000:", ::getppid())));
}

TEST(Ancestry, WhereAllHaveTheVariableItIsTheFarthest) {
  MadeUpProcesses processes;
  processes.add(::getppid(), 900, "5000", kRank);
  processes.add(900, 0, "4000", kRank);
  EXPECT_TRUE(processes.launcher("RANK").starts_with("900:4000:"));
}

TEST(Ancestry, AChainThatGoesRoundEnds) {
  MadeUpProcesses processes;
  processes.add(::getppid(), 900, "5000", kRank);
  processes.add(900, ::getppid(), "4000", kRank);
  EXPECT_FALSE(processes.launcher("RANK").empty());
}

TEST(Ancestry, WithoutFilesItIsTheParent) {
  EXPECT_TRUE(MadeUpProcesses().launcher("RANK").starts_with(fmt::format("{}:", ::getppid())));
}

Host this_machine() {
  return Host("/", Environment{}, std::make_shared<SystemClock>());
}

/// What `function` returns in a process that this one starts.
template <class Function>
std::string in_child(Function function) {
  std::array<int, 2> pipe{};
  EXPECT_EQ(::pipe(pipe.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string text = function();
    ::_exit(::write(pipe[1], text.data(), text.size()) < 0 ? 1 : 0);
  }
  ::close(pipe[1]);
  std::string text;
  std::array<char, 512> buffer;
  for (ssize_t size = 0; (size = ::read(pipe[0], buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
  ::close(pipe[0]);
  ::waitpid(child, nullptr, 0);
  return text;
}

std::string tracked_run() {
  return ProcessAncestry(this_machine()).tracked_run().value_or("none");
}

TEST(Ancestry, ChildrenAndTheirChildrenFindTheRunAsLongAsItIsMarked) {
  {
    const Fd mark = mark_tracked_run("run 1/2");
    ASSERT_TRUE(mark);
    EXPECT_EQ(in_child(tracked_run), "run 1/2");
    EXPECT_EQ(in_child([] { return in_child(tracked_run); }), "run 1/2");
  }
  EXPECT_EQ(in_child(tracked_run), tracked_run()) << "gone with the mark";
}

TEST(Ancestry, TheOldestMarkIsFoundAndManyDoNoHarm) {
  std::vector<Fd> marks;
  for (int i = 0; i < 20; ++i) marks.push_back(mark_tracked_run("run " + std::to_string(i)));
  EXPECT_EQ(in_child(tracked_run), "run 0");
  marks.front() = Fd{};
  EXPECT_EQ(in_child(tracked_run), "run 1");
}

TEST(Ancestry, WhereFewFilesMayBeOpenThereIsNoMark) {
  EXPECT_EQ(in_child([] {
              const rlimit few{100, 100};
              if (::setrlimit(RLIMIT_NOFILE, &few) != 0) return std::string("no limit");
              return std::string(mark_tracked_run("run") ? "marked" : "not marked");
            }),
            "not marked");
}

TEST(Ancestry, SiblingsHaveOneLauncherAndOthersAnother) {
  const auto launcher = [] { return ProcessAncestry(this_machine()).launcher(""); };
  EXPECT_EQ(in_child(launcher), in_child(launcher));
  EXPECT_NE(in_child(launcher), launcher());
}

}  // namespace
}  // namespace codecarbon
