#include "console.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <ctime>

#include "output.hpp"

namespace codecarbon::cli {
namespace {

constexpr std::string_view kWipe = "\r\x1b[K";

std::string_view name_of(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return "DEBUG";
    case LogLevel::info:
      return "INFO";
    case LogLevel::warning:
      return "WARNING";
    case LogLevel::error:
      return "ERROR";
    case LogLevel::critical:
      return "CRITICAL";
  }
  return "INFO";
}

}  // namespace

std::string log_line(LogLevel level, WallTime at, std::string_view text) {
  const std::time_t second = std::chrono::system_clock::to_time_t(at);
  std::tm local{};
  localtime_r(&second, &local);
  return fmt::format("[codecarbon {} @ {:02}:{:02}:{:02}] {}\n", name_of(level), local.tm_hour,
                     local.tm_min, local.tm_sec, text);
}

bool Console::can_redraw() const {
  return !terminal_.empty() && terminal_ != "dumb" && isatty(fd_) == 1;
}

std::size_t Console::width() const {
  winsize size{};
  if (ioctl(fd_, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

void Console::write(std::string_view text) {
  const std::lock_guard lock(mutex_);
  std::string out(status_shown_ ? kWipe : std::string_view{});
  status_shown_ = false;
  out += text;
  write_all(fd_, out);
}

void Console::show_status(std::string_view text) {
  const std::lock_guard lock(mutex_);
  status_shown_ = true;
  write_all(fd_, fmt::format("{}{}", kWipe, text));
}

}  // namespace codecarbon::cli
