// Named windows: each gets its own energy, wherever they lie, and the run counts each joule once.
//   tasks [output folder] [machine file]

#include <chrono>
#include <codecarbon/codecarbon.hpp>
#include <cstdio>
#include <thread>

namespace {

using namespace std::chrono_literals;

void work() {
  std::this_thread::sleep_for(30ms);
}

void run(codecarbon::Tracker& tracker) {
  tracker.start();
  {
    const codecarbon::Task whole(tracker, "prepare");
    work();
    for (int i = 0; i < 2; ++i) {
      const codecarbon::Task part(tracker, "load");  // inside "prepare"; the second is load#2
      work();
    }
  }
  codecarbon::Task fit(tracker, "fit");
  work();
  if (const auto task = fit.close()) {
    std::printf("fit took %.3f J\n", task->report.energy().joules());
  }
  tracker.stop();
}

void print_tasks(const codecarbon::Tracker& tracker) {
  for (const auto& task : tracker.tasks()) {
    std::printf("task %-8s %.3f s  %.3f J\n", task.task_name.c_str(),
                codecarbon::seconds(task.report.duration), task.report.energy().joules());
  }
  if (const auto report = tracker.last_report()) {
    std::printf("run  %-8s %.3f s  %.3f J\n", "", codecarbon::seconds(report->duration),
                report->energy().joules());
  }
}

}  // namespace

int main(int argc, char** argv) {
  codecarbon::Options options;
  options.experiment_name = "tasks";
  options.offline = true;
  if (argc > 1) options.output_dir = argv[1];
  if (argc > 2) options.machine = argv[2];

  codecarbon::Hooks hooks;
  hooks.log = [](codecarbon::LogLevel level, std::string_view line) {
    if (level < codecarbon::LogLevel::warning) return;
    std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
  };
  auto tracker = codecarbon::Tracker::create(options, hooks);
  if (!tracker) {
    std::fprintf(stderr, "tasks: %s\n", tracker.error().message.c_str());
    return 2;
  }
  run(*tracker);
  print_tasks(*tracker);
  return 0;
}
