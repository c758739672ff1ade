#include <fcntl.h>
#include <unistd.h>

#include "command_line.hpp"
#include "signals.hpp"

namespace {

// Started with a standard stream closed, the next file opened would take its number and be written
// to in its place. The stand-ins close on exec, so the measured program still finds it closed.
void occupy_closed_streams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", O_RDWR | O_CLOEXEC) == -1) return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const codecarbon::cli::HeldSignals signals;
  occupy_closed_streams();
  return codecarbon::cli::run_command_line({argv + (argc > 0 ? 1 : 0), argv + argc}, signals);
}
