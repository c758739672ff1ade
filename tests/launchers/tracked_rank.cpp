// What each rank runs in the tests of launchers: tracks, with the options of the environment, the
// command that its arguments are, if any. Two rows: one at a pause, one at the end.

#include <codecarbon/codecarbon.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
  codecarbon::Hooks hooks;
  hooks.log = [](codecarbon::LogLevel, std::string_view text) {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(text.size()), text.data());
  };
  auto tracker = codecarbon::Tracker::create({}, std::move(hooks));
  if (!tracker) {
    std::fprintf(stderr, "%s\n", tracker.error().message.c_str());
    return 2;
  }
  tracker->start();
  std::string command;
  for (int i = 1; i < argc; ++i) command += std::string(argv[i]) + " ";
  const int result = command.empty() ? 0 : std::system(command.c_str());
  tracker->pause();
  tracker->resume();
  tracker->stop();
  return result == 0 ? 0 : 1;
}
