#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codecarbon/error.hpp"

namespace CLI {
class App;
}

namespace codecarbon::cli {

class HeldSignals;

/// Exit codes of the command's own; everything else is the measured program's.
inline constexpr int kExitDone = 0;
inline constexpr int kExitTrouble = 1;
inline constexpr int kExitBadInput = 2;
inline constexpr int kExitNotExecutable = 126;
inline constexpr int kExitNotFound = 127;

/// The words that stand behind a command's own flags; for `monitor` a program and its arguments.
using Words = std::vector<std::string>;

/// One subcommand. `declare` comes before `run`; `run` is called once, on the main thread.
class Command {
 public:
  virtual ~Command() = default;
  virtual std::string_view name() const = 0;
  /// One line for a person.
  virtual std::string_view summary() const = 0;
  /// Adds its flags to `app`, which outlives the command.
  virtual void declare(CLI::App& app) = 0;
  /// How the words behind the flags are called in the usage; empty: none are accepted.
  virtual std::string_view words() const { return {}; }
  /// Does it and returns the exit code. An Error is bad input: nothing was done.
  virtual Result<int> run(const Words& words) = 0;
};

/// `signals` outlives the command.
std::unique_ptr<Command> make_monitor(const HeldSignals& signals);
std::unique_ptr<Command> make_detect();
std::unique_ptr<Command> make_doctor();
std::unique_ptr<Command> make_config();
std::unique_ptr<Command> make_about();
std::unique_ptr<Command> make_completion();

}  // namespace codecarbon::cli
