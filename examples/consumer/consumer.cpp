// The smallest program that measures itself. Writes no file.

#include <codecarbon/codecarbon.hpp>
#include <cstdio>

int main() {
  codecarbon::Options options;
  options.offline = true;
  options.save_to_file = false;
  auto tracker = codecarbon::Tracker::create(options);
  if (!tracker) {
    std::fprintf(stderr, "%s\n", tracker.error().message.c_str());
    return 2;
  }
  tracker->start();
  const auto emissions = tracker->stop();
  std::printf("codecarbon %s: %s\n", codecarbon::kVersion, emissions ? "measured" : "nothing");
  return emissions ? 0 : 1;
}
