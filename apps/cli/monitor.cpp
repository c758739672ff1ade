#include <fmt/core.h>

#include <CLI/App.hpp>
#include <optional>

#include "base/text.hpp"
#include "command.hpp"
#include "monitor_run.hpp"
#include "option_flags.hpp"
#include "settings.hpp"
#include "signals.hpp"

namespace codecarbon::cli {
namespace {

constexpr const char* kNoServer =
    "--api has no effect: sending to a server is not part of this version";

constexpr const char* kExamples =
    "Examples:\n"
    "  codecarbon monitor -- make -j4\n"
    "  codecarbon monitor --country-iso-code FRA --summary json -- python train.py\n"
    "  codecarbon monitor --measure-power-secs 5      until CTRL-C\n"
    "  kill -USR1 PID                                 writes a row of a running monitor\n"
    "\n"
    "The program keeps its words, streams, signals and exit code (128+n when signal n ended it,\n"
    "127 not found, 126 not executable: then no row is written). A program that the system begins\n"
    "to load and then kills, such as one cut short, counts as one that ran.";

class Monitor final : public Command {
 public:
  explicit Monitor(const HeldSignals& signals) : signals_(signals) {}

  std::string_view name() const override { return "monitor"; }
  std::string_view summary() const override {
    return "Measure a program, or the machine until CTRL-C";
  }
  std::string_view words() const override { return "[[--] PROGRAM [ARGUMENTS...]]"; }
  void declare(CLI::App& app) override;
  Result<int> run(const Words& program) override;

 private:
  Result<SummaryFormat> summary_format() const;
  std::optional<bool> progress() const;

  const HeldSignals& signals_;
  OptionFlags flags_;
  std::string summary_word_ = "text";
  std::string summary_file_;
  bool progress_ = false;
  const CLI::Option* progress_flag_ = nullptr;
  bool wants_api_ = false;
};

void Monitor::declare(CLI::App& app) {
  app.footer(kExamples);
  app.add_option("--summary", summary_word_, "The report at the end: text, json or none [text]")
      ->type_name("FORM");
  app.add_option("--summary-file", summary_file_, "Write the report here, not on standard error")
      ->type_name("FILE");
  progress_flag_ = app.add_flag(
      "--progress,!--no-progress", progress_,
      "A live line on the terminal; not with a program unless asked for, as it is drawn "
      "over a line that the program leaves unfinished there");
  // Known from the Python package. Sending to its server is not part of this version.
  app.add_flag("--api,!--no-api", wants_api_)->group("");
  app.add_option("--api-call-interval", CLI::callback_t([](const CLI::results_t&) { return true; }))
      ->group("");
  for (CLI::Option* option : app.get_options()) {
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
  flags_.declare(app);
}

Result<SummaryFormat> Monitor::summary_format() const {
  if (const auto format = parse_summary_format(summary_word_)) return *format;
  return fail(ErrorKind::invalid_value,
              fmt::format("--summary: {} is not accepted: give text, json or none",
                          in_quotes(summary_word_)));
}

std::optional<bool> Monitor::progress() const {
  return progress_flag_->count() > 0 ? std::optional(progress_) : std::nullopt;
}

Result<int> Monitor::run(const Words& program) {
  const auto format = summary_format();
  if (!format) return tl::unexpected(format.error());
  const auto keywords = flags_.read();
  if (!keywords) return tl::unexpected(keywords.error());
  const auto effective = effective_options(*keywords);
  if (!effective) return tl::unexpected(effective.error());
  return run_monitor({program, *keywords, effective->options, *format, summary_file_, progress(),
                      wants_api_ ? kNoServer : "", signals_.original_mask()});
}

}  // namespace

std::unique_ptr<Command> make_monitor(const HeldSignals& signals) {
  return std::make_unique<Monitor>(signals);
}

}  // namespace codecarbon::cli
