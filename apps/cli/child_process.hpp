#pragma once

#include <sys/types.h>

#include <csignal>
#include <optional>
#include <string>
#include <string_view>

#include "command.hpp"

namespace codecarbon::cli {

/// Why a program cannot be started, and the exit code that a shell would give for it.
struct LaunchFailure {
  int exit_code = kExitNotFound;
  std::string message;
};

/// The file that execvp would run for `name`, looked up without running it. `search_path` is the
/// value of PATH. A script whose interpreter cannot be run is a failure too.
tl::expected<std::string, LaunchFailure> find_program(const std::string& name,
                                                      std::string_view search_path);

/// What becomes of the program's descendants that lose their parents.
enum class Orphans {
  as_usual,  ///< the system gives them to whom it always does
  adopted,   ///< this process is their parent then, and lets them go when they end
};

/// A program that runs beside this one: its own words, streams, working directory, environment and
/// process group are as if it had been started directly. Not killed when this object goes.
/// One thread.
class ChildProcess {
 public:
  /// Starts `file` with the words `program` (not empty) and the signal mask `mask`. A script
  /// without a head ("#!") is run by sh, as shells do. A failure means that not one instruction of
  /// the program ran.
  static tl::expected<ChildProcess, LaunchFailure> start(const std::string& file,
                                                         const Words& program, const sigset_t& mask,
                                                         Orphans orphans = Orphans::as_usual);

  /// Passes a signal on; nothing once the program has ended.
  void send(int signal) const;
  /// The exit code once the program has ended: its own, or 128+n when signal n ended it.
  std::optional<int> poll_exit();

 private:
  ChildProcess(pid_t pid, Orphans orphans) : pid_(pid), orphans_(orphans) {}

  pid_t pid_;
  Orphans orphans_;
  std::optional<int> exit_code_;
};

}  // namespace codecarbon::cli
