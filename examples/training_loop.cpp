// A training-like loop that measures its epochs and not its checkpoints.
//   training_loop [output folder] [machine file]
// With a machine file a simulated machine is measured instead of this one.

#include <chrono>
#include <codecarbon/codecarbon.hpp>
#include <cstdio>
#include <string_view>
#include <thread>

namespace {

using namespace std::chrono_literals;

constexpr int kEpochs = 4;

void train_one_epoch() {
  std::this_thread::sleep_for(50ms);
}
void write_checkpoint() {
  std::this_thread::sleep_for(100ms);
}

/// One line for each row in the CSV: all figures are totals of the run so far.
void print_row(std::string_view what, const codecarbon::Tracker& tracker) {
  const auto report = tracker.last_report();
  if (!report) return;
  std::printf("%-6.*s active %.2f s  energy %.3f J (cpu %s)  emissions %.3f mg\n",
              static_cast<int>(what.size()), what.data(), codecarbon::seconds(report->duration),
              report->energy().joules(), to_string(report->cpu.method).data(),
              report->emissions.grams() * 1e3);
}

void train(codecarbon::Tracker& tracker) {
  tracker.start();
  for (int epoch = 1; epoch <= kEpochs; ++epoch) {
    train_one_epoch();
    if (epoch == kEpochs / 2) {
      tracker.pause();  // what follows is nobody's energy
      print_row("pause", tracker);
      write_checkpoint();
      tracker.resume();
    }
  }
  tracker.flush();
  print_row("flush", tracker);
  train_one_epoch();
  tracker.stop();
  print_row("stop", tracker);
}

}  // namespace

int main(int argc, char** argv) {
  codecarbon::Options options;
  options.project_name = "training";
  options.country_iso_code = "FRA";
  options.offline = true;
  options.measure_power_secs = 1;
  if (argc > 1) options.output_dir = argv[1];
  if (argc > 2) options.machine = argv[2];

  auto tracker = codecarbon::Tracker::create(options);
  if (!tracker) {
    std::fprintf(stderr, "training_loop: %s\n", tracker.error().message.c_str());
    return 2;
  }
  train(*tracker);
  return 0;
}
