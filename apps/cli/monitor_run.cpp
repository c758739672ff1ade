#include "monitor_run.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

#include "base/fd.hpp"
#include "child_process.hpp"
#include "codecarbon/clock.hpp"
#include "codecarbon/tracker.hpp"
#include "console.hpp"
#include "host/environment.hpp"
#include "output.hpp"
#include "settings.hpp"
#include "signals.hpp"
#include "status_line.hpp"
#include "supervisor.hpp"

namespace codecarbon::cli {
namespace {

/// What standard error shows during a run. Thread-safe.
class Voice {
 public:
  /// Shows what is at least of the level `shown`.
  Voice(LogLevel shown, std::string_view terminal)
      : console(STDERR_FILENO, terminal), shown_(shown) {}

  void log(LogLevel level, std::string_view text) {
    if (level >= LogLevel::error) heard_error_ = true;
    if (level < shown_) return;
    console.write(log_line(level, clock_.wall_now(), text));
  }
  bool heard_error() const { return heard_error_; }

  Console console;

 private:
  LogLevel shown_;
  SystemClock clock_;
  std::atomic<bool> heard_error_ = false;
};

LogLevel shown_level(const MonitorPlan& plan) {
  return plan.effective.log_level.value_or(LogLevel::info);
}

class MonitorRun {
 public:
  MonitorRun(const MonitorPlan& plan, SignalInbox& inbox, Voice& voice, Tracker& tracker)
      : plan_(plan), inbox_(inbox), voice_(voice), tracker_(tracker) {}

  int run(const std::string& file) {
    tracker_.start();
    const int exit_code = plan_.program.empty() ? wait_for(nullptr) : run_program(file);
    tracker_.stop();
    voice_.console.clear_status();
    publish(exit_code);
    return exit_code;
  }

 private:
  int run_program(const std::string& file) {
    auto child = ChildProcess::start(file, plan_.program, plan_.program_mask, orphans());
    if (!child) leave_unmeasured(child.error());
    return wait_for(&*child);
  }

  // Only where the figures are about them: a program can see whose children its orphans are.
  Orphans orphans() const {
    const bool counted = plan_.effective.tracking_mode == TrackingMode::process;
    return counted ? Orphans::adopted : Orphans::as_usual;
  }

  // The measurement begins before the program's first instruction, and so before it is known
  // whether the system will run it. A tracker that has started writes its row when it is destroyed
  // and at exit; here there is nothing that a row could tell, so the process ends without either.
  [[noreturn]] static void leave_unmeasured(const LaunchFailure& failure) {
    complain(failure.message);
    _exit(failure.exit_code);
  }

  int wait_for(ChildProcess* child) {
    if (!child) say_how_to_end();
    Supervision supervision{child, [this] { tracker_.flush(); }, {}};
    if (shows_status()) supervision.on_tick = [this] { refresh_status(); };
    return supervise(inbox_, supervision);
  }

  void say_how_to_end() {
    voice_.log(
        LogLevel::info,
        fmt::format("Measuring until CTRL-C or SIGTERM; kill -USR1 {} writes a row.", getpid()));
  }

  bool shows_status() const {
    const bool silent = shown_level(plan_) >= LogLevel::error;
    const bool wanted = plan_.progress.value_or(plan_.program.empty());
    return wanted && !silent && voice_.console.can_redraw();
  }

  void refresh_status() {
    // The last column stays free: a terminal may wrap the line when it is filled.
    const std::size_t width = voice_.console.width() - 1;
    voice_.console.show_status(status_.next(tracker_.report(), width));
  }

  void publish(int exit_code) {
    RunOutcome outcome{plan_.program, std::nullopt, {}};
    if (!plan_.program.empty()) outcome.exit_code = exit_code;
    const Report report = tracker_.report();
    if (!voice_.heard_error()) outcome.row_file = row_file(plan_.effective, report);
    const std::string text = render_summary(plan_.summary, report, outcome);
    if (plan_.summary_file.empty()) {
      voice_.console.write(text);
    } else if (plan_.summary != SummaryFormat::none) {
      write_summary_file(text);
    }
  }

  void write_summary_file(const std::string& text) {
    const Fd file(open(plan_.summary_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    const int trouble = file ? write_all(file.get(), text) : errno;
    if (trouble == 0) return;
    complain(fmt::format("--summary-file: {} cannot be written: {}: the report follows here",
                         plan_.summary_file, std::generic_category().message(trouble)));
    voice_.console.write(text);
  }

  const MonitorPlan& plan_;
  SignalInbox& inbox_;
  Voice& voice_;
  Tracker& tracker_;
  StatusLine status_;
};

// Empty when there is no program to run.
tl::expected<std::string, LaunchFailure> file_of(const Words& program) {
  if (program.empty()) return std::string{};
  const Environment environment = Environment::of_process();
  return find_program(program.front(), environment.get("PATH").value_or("/bin:/usr/bin"));
}

}  // namespace

Result<int> run_monitor(const MonitorPlan& plan) {
  // Looked up before sensors are: what can be known to fail now fails without setting anything up.
  const auto file = file_of(plan.program);
  if (!file) {
    complain(file.error().message);
    return file.error().exit_code;
  }
  auto inbox = SignalInbox::open();
  if (!inbox) return tl::unexpected(inbox.error());
  Voice voice(shown_level(plan), Environment::of_process().get("TERM").value_or(""));
  Options keywords = plan.keywords;
  // Whether the row was written is known from the errors, so they are heard though not shown.
  if (shown_level(plan) > LogLevel::error) keywords.log_level = LogLevel::error;
  Hooks hooks;
  hooks.log = [&voice](LogLevel level, std::string_view text) { voice.log(level, text); };
  hooks.options_origin = kCommandLine;
  hooks.tracks_children = !plan.program.empty();
  auto tracker = Tracker::create(keywords, std::move(hooks));
  if (!tracker) return tl::unexpected(tracker.error());
  if (!plan.remark.empty()) voice.log(LogLevel::warning, plan.remark);
  return MonitorRun(plan, *inbox, voice, *tracker).run(*file);
}

}  // namespace codecarbon::cli
