#pragma once

#include <string_view>

namespace codecarbon::cli {

/// Writes all of `text`, over interruptions and short writes. Returns 0 or the errno.
int write_all(int fd, std::string_view text);

/// Prints on standard output. Returns the exit code: kExitTrouble, and one line on standard error,
/// when it could not be written (a full disk); a
/// reader that is gone is told nothing.
int print(std::string_view text);

/// One line on standard error for a person.
void complain(std::string_view message);

}  // namespace codecarbon::cli
