#pragma once

#include <string>
#include <vector>

namespace codecarbon::cli {

class HeldSignals;

/// Runs the subcommand that `arguments` (without the program's own name) call for and returns the
/// exit code. Bad input is one line on standard error and kExitBadInput. `monitor` answers the held
/// signals; for every other command they are released.
int run_command_line(const std::vector<std::string>& arguments, const HeldSignals& signals);

}  // namespace codecarbon::cli
