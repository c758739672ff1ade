#include "child_process.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <vector>

#include "base/fd.hpp"

namespace codecarbon::cli {
namespace {

std::string reason_of(int trouble) {
  return std::generic_category().message(trouble);
}

LaunchFailure failure(const std::string& name, int trouble) {
  const bool missing = trouble == ENOENT || trouble == ENOTDIR;
  const char* advice = missing ? "check the spelling, or give the path of the program"
                               : "check that it is a program that you may run";
  return {missing ? kExitNotFound : kExitNotExecutable,
          fmt::format("{}: cannot be run: {}; {}", name, reason_of(trouble), advice)};
}

// 0 when the file can be run.
int trouble_of(const std::string& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return EACCES;
  return access(file.c_str(), X_OK) == 0 ? 0 : errno;
}

std::string head_of(const std::string& file) {
  const Fd script(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 256> head{};
  const ssize_t size = script ? read(script.get(), head.data(), head.size()) : 0;
  return {head.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

// What stands behind "#!" at the head of a script; empty for any other file.
std::string interpreter_of(const std::string& file) {
  const std::string text = head_of(file);
  if (text.substr(0, 2) != "#!") return {};
  const std::size_t from = text.find_first_not_of(" \t", 2);
  if (from == std::string::npos) return {};
  return text.substr(from, text.find_first_of(" \t\r\n", from) - from);
}

// As shells tell them apart: a script's first line holds no zero byte, a broken program's does.
bool is_text(const std::string& file) {
  const std::string head = head_of(file);
  return head.substr(0, head.find('\n')).find('\0') == std::string::npos;
}

std::vector<std::string> candidates(const std::string& name, std::string_view search_path) {
  if (name.find('/') != std::string::npos) return {name};
  std::vector<std::string> files;
  for (std::size_t from = 0; from <= search_path.size() && !name.empty();) {
    const std::size_t to = std::min(search_path.find(':', from), search_path.size());
    const std::string folder(search_path.substr(from, to - from));
    files.push_back(folder.empty() ? name : folder + "/" + name);
    from = to + 1;
  }
  return files;
}

std::optional<LaunchFailure> interpreter_failure(const std::string& file) {
  const std::string interpreter = interpreter_of(file);
  const int trouble = interpreter.empty() ? 0 : trouble_of(interpreter);
  if (trouble == 0) return std::nullopt;
  LaunchFailure broken = failure(interpreter, trouble);
  broken.message = fmt::format("{}: its interpreter {}", file, broken.message);
  return broken;
}

// Returns 0 or the errno.
int spawn(const std::string& file, const Words& program, const sigset_t& mask, pid_t& pid) {
  std::vector<char*> words;
  for (const std::string& word : program) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &mask);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int trouble = posix_spawn(&pid, file.c_str(), nullptr, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  return trouble;
}

}  // namespace

tl::expected<std::string, LaunchFailure> find_program(const std::string& name,
                                                      std::string_view search_path) {
  int trouble = ENOENT;
  for (const std::string& file : candidates(name, search_path)) {
    const int here = trouble_of(file);
    if (here == 0) {
      if (auto failure = interpreter_failure(file)) return tl::unexpected(std::move(*failure));
      return file;
    }
    if (here == EACCES) trouble = EACCES;
  }
  return tl::unexpected(failure(name, trouble));
}

tl::expected<ChildProcess, LaunchFailure> ChildProcess::start(const std::string& file,
                                                              const Words& program,
                                                              const sigset_t& mask,
                                                              Orphans orphans) {
  if (orphans == Orphans::adopted) prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_t pid = 0;
  int trouble = spawn(file, program, mask, pid);
  if (trouble == ENOEXEC && is_text(file)) {
    Words script{"sh", file};
    script.insert(script.end(), program.begin() + 1, program.end());
    trouble = spawn("/bin/sh", script, mask, pid);
  }
  if (trouble != 0) return tl::unexpected(failure(program.front(), trouble));
  return ChildProcess(pid, orphans);
}

void ChildProcess::send(int signal) const {
  if (!exit_code_) kill(pid_, signal);
}

std::optional<int> ChildProcess::poll_exit() {
  const pid_t which = orphans_ == Orphans::adopted ? -1 : pid_;
  int status = 0;
  while (const pid_t ended = waitpid(which, &status, WNOHANG)) {
    if (ended < 0) break;
    if (ended == pid_) {
      exit_code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
  }
  return exit_code_;
}

}  // namespace codecarbon::cli
