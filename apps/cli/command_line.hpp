#pragma once

#include <string>
#include <vector>

namespace codecarbon::cli {

/// Runs the subcommand that `arguments` (without the program's own name) call for and returns the
/// exit code. Bad input is one line on standard error and kExitBadInput.
int run_command_line(const std::vector<std::string>& arguments);

}  // namespace codecarbon::cli
