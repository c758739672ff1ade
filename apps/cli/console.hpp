#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "codecarbon/clock.hpp"
#include "codecarbon/log.hpp"

namespace codecarbon::cli {

/// "[codecarbon INFO @ 15:44:49] text", in local time.
std::string log_line(LogLevel level, WallTime at, std::string_view text);

/// Standard error shared by log lines and a status line that is redrawn in place. Each call is one
/// write. A stream that is closed or full is passed over in silence: there is nowhere to say it.
/// Thread-safe.
class Console {
 public:
  /// `fd` is not owned; `terminal` is the kind that TERM names, empty when it names none.
  Console(int fd, std::string_view terminal) : fd_(fd), terminal_(terminal) {}

  /// Whether it is a terminal that can show a line in place of another.
  bool can_redraw() const;
  /// Columns of the terminal; 80 when it does not say.
  std::size_t width() const;

  /// Writes `text` below everything else, wiping the status line first.
  void write(std::string_view text);
  void show_status(std::string_view text);
  void clear_status() { write({}); }

 private:
  int fd_;
  std::string terminal_;
  std::mutex mutex_;
  bool status_shown_ = false;
};

}  // namespace codecarbon::cli
