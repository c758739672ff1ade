#include "host/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "base/fd.hpp"

namespace codecarbon {
namespace {

/// Real time, whatever clock the host plays: the program lives by it too.
using RealTime = std::chrono::steady_clock;

/// What posix_spawn is told about the child.
class SpawnPlan {
 public:
  explicit SpawnPlan(int output) {
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files_, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&files_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawnattr_init(&attributes_);
    // A group of its own, so that what it starts can be ended with it; and signals as a program
    // expects them, not as this process has them.
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  /// The child's process id, or why there is none (an errno).
  tl::expected<pid_t, int> spawn(const std::string& program, std::vector<std::string>& arguments,
                                 std::vector<std::string>& variables) const {
    pid_t pid = 0;
    const int error = ::posix_spawn(&pid, program.c_str(), &files_, &attributes_,
                                    pointers(arguments).data(), pointers(variables).data());
    if (error != 0) return tl::unexpected(error);
    return pid;
  }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
  }

  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

std::vector<std::string> as_lines(const Environment& environment) {
  std::vector<std::string> lines;
  for (const auto& [name, value] : environment.all()) {
    lines.push_back(fmt::format("{}={}", name, value));
  }
  return lines;
}

int milliseconds_until(RealTime::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - RealTime::now());
  return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

/// Everything up to the end of the pipe; missing when that does not come within the bounds.
std::optional<std::string> drain(const Fd& pipe, const ProgramBounds& bounds) {
  const auto deadline = RealTime::now() + bounds.most_time;
  std::string output;
  char block[4096];
  while (output.size() <= bounds.most_output) {
    pollfd waiting{pipe.get(), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, milliseconds_until(deadline));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return std::nullopt;
    const ssize_t count = ::read(pipe.get(), block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) return output;
    output.append(block, static_cast<std::size_t>(count));
  }
  return std::nullopt;
}

/// Ends the child and its group, if they have not ended, and takes the child's status. True when it
/// had ended well of its own accord.
bool reap(pid_t child) {
  // One that has closed its output by ending keeps its exit code: it is past being killed.
  ::kill(-child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    // Another part of the program may have taken the status: then it is nobody's zombie.
    if (errno != EINTR) return errno == ECHILD;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

Result<std::string> output_of(const std::filesystem::path& program,
                              const std::vector<std::string>& arguments,
                              const Environment& environment, const ProgramBounds& bounds) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return fail(ErrorKind::io, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  const Fd output(ends[0]);
  Fd input(ends[1]);
  std::vector<std::string> words{program.filename().string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  auto variables = as_lines(environment);
  const auto child = SpawnPlan(input.get()).spawn(program.string(), words, variables);
  if (!child) {
    return fail(ErrorKind::io,
                fmt::format("cannot run {}: {}", program.string(), std::strerror(child.error())));
  }
  input = Fd();  // so that the child holds the only end to write to
  auto text = drain(output, bounds);
  const bool well = reap(*child);
  if (!text) return fail(ErrorKind::io, program.string() + " took too long or wrote too much");
  if (!well) return fail(ErrorKind::io, program.string() + " failed");
  return std::move(*text);
}

}  // namespace codecarbon
