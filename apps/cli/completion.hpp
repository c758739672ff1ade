#pragma once
/// \file
/// Completion scripts for shells, from a description of the command line. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace codecarbon::cli {

/// A flag as a shell needs to know it.
struct FlagHint {
  enum class Value { none, anything, file, folder, words };
  std::string name;  ///< "--region"
  std::string help;
  Value value = Value::none;
  std::vector<std::string> words;  ///< those that are accepted, for Value::words
};

struct CommandHint {
  std::string name;
  std::string help;
  std::vector<FlagHint> flags;
  bool takes_program = false;      ///< another program's name may follow
  std::vector<std::string> words;  ///< what may follow otherwise
};

/// The script for "bash", "zsh" or "fish"; nothing for any other shell.
std::optional<std::string> completion_script(std::string_view shell,
                                             const std::vector<CommandHint>& commands);

}  // namespace codecarbon::cli
