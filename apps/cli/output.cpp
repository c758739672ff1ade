#include "output.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

#include "command.hpp"

namespace codecarbon::cli {

int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int print(std::string_view text) {
  const int trouble = write_all(STDOUT_FILENO, text);
  if (trouble == 0) return kExitDone;
  // Whoever read it has seen enough.
  if (trouble == EPIPE) return kExitTrouble;
  complain(fmt::format("standard output cannot be written: {}",
                       std::generic_category().message(trouble)));
  return kExitTrouble;
}

void complain(std::string_view message) {
  write_all(STDERR_FILENO, fmt::format("codecarbon: {}\n", message));
}

}  // namespace codecarbon::cli
