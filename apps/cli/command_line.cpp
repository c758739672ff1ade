#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "base/text.hpp"
#include "codecarbon/version.hpp"
#include "command.hpp"
#include "help_format.hpp"
#include "output.hpp"
#include "signals.hpp"
#include "split.hpp"

namespace codecarbon::cli {
namespace {

constexpr const char* kAbout =
    "What computing costs in energy and carbon.\n"
    "\n"
    "  codecarbon monitor -- make -j4     measures a program and adds a row to ./emissions.csv\n"
    "  codecarbon doctor                  what can be measured here, and what to do about the "
    "rest\n";

int bad_input(const std::string& message) {
  std::string line = message;
  std::replace(line.begin(), line.end(), '\n', ' ');
  complain(line);
  return kExitBadInput;
}

// Of a name, what can be told from a few letters that just happen to be the same.
constexpr std::size_t kShortestBeginning = 3;

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  if (const auto near = closest(word, views)) return fmt::format("did you mean {}?", *near);
  std::vector<std::string_view> longer;
  for (const std::string_view candidate : views) {
    if (word.size() > kShortestBeginning && candidate.starts_with(word))
      longer.push_back(candidate);
  }
  return longer.empty() ? "see codecarbon --help"
                        : fmt::format("did you mean {}?", fmt::join(longer, " or "));
}

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  return flags;
}

std::string unknown_flag(const CLI::App& app, const std::string& word) {
  const std::string flag = word.substr(0, word.find('='));
  return fmt::format("{} is not a flag of {}: {}", flag, app.get_name(),
                     did_you_mean(flag, flags_of(app)));
}

class CommandLine {
 public:
  explicit CommandLine(const HeldSignals& signals);
  int run(const Words& words);

 private:
  struct Entry {
    std::unique_ptr<Command> command;
    CLI::App* app;
  };

  void add(std::unique_ptr<Command> command);
  int run(const Entry& entry, const Words& words);
  int refuse_command(const std::string& word) const;
  std::optional<int> parse(std::vector<std::string> words);

  const HeldSignals& signals_;
  CLI::App root_{kAbout, "codecarbon"};
  std::vector<Entry> entries_;
};

CommandLine::CommandLine(const HeldSignals& signals) : signals_(signals) {
  root_.formatter(std::make_shared<HelpFormat>());
  root_.set_version_flag("--version", fmt::format("codecarbon {}", kVersion));
  root_.require_subcommand(0, 1);
  add(make_monitor(signals));
  add(make_detect());
  add(make_doctor());
  add(make_config());
  add(make_about());
  add(make_completion());
}

void CommandLine::add(std::unique_ptr<Command> command) {
  CLI::App* app =
      root_.add_subcommand(std::string(command->name()), std::string(command->summary()));
  app->group("Commands");
  app->allow_extras();
  app->formatter(std::make_shared<HelpFormat>(std::string(command->words())));
  command->declare(*app);
  entries_.push_back({std::move(command), app});
}

int CommandLine::run(const Words& words) {
  if (words.empty() || words.front() != "monitor") signals_.release();
  if (words.empty()) return bad_input("a command is missing: see codecarbon --help");
  for (const Entry& entry : entries_) {
    if (entry.command->name() == words.front()) return run(entry, words);
  }
  if (words.front() == "help") return parse({"--help"}).value_or(kExitDone);
  if (!words.front().starts_with('-')) return refuse_command(words.front());
  if (const auto exit_code = parse(words)) return *exit_code;
  return bad_input(unknown_flag(root_, words.front()));
}

int CommandLine::refuse_command(const std::string& word) const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.emplace_back(entry.command->name());
  return bad_input(
      fmt::format("{} is not a command: {}", in_quotes(word), did_you_mean(word, names)));
}

int CommandLine::run(const Entry& entry, const Words& words) {
  const auto takes_value = [&](std::string_view flag) {
    const CLI::Option* option = entry.app->get_option_no_throw(std::string(flag));
    return option != nullptr && option->get_items_expected_max() > 0;
  };
  const SplitLine line = split_line({words.begin() + 1, words.end()}, takes_value);
  std::vector<std::string> own = line.flags;
  own.insert(own.begin(), words.front());
  if (const auto exit_code = parse(std::move(own))) return *exit_code;
  const std::vector<std::string> unknown = entry.app->remaining();
  if (!unknown.empty()) return bad_input(unknown_flag(*entry.app, unknown.front()));
  if (line.had_mark && line.words.empty()) return bad_input("no program stands behind --");
  if (!line.words.empty() && entry.command->words().empty()) {
    return bad_input(fmt::format("{}: {} takes flags only", in_quotes(line.words.front()),
                                 entry.command->name()));
  }
  const Result<int> exit_code = entry.command->run(line.words);
  return exit_code ? *exit_code : bad_input(exit_code.error().message);
}

// CLI11 throws; that ends here. An exit code when there is nothing left to do.
std::optional<int> CommandLine::parse(std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());
  try {
    root_.parse(std::move(words));
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    return print(root_.help());
  } catch (const CLI::CallForVersion& version) {
    return print(fmt::format("{}\n", version.what()));
  } catch (const CLI::ExtrasError&) {
    return std::nullopt;
  } catch (const CLI::Error& error) {
    return bad_input(error.what());
  }
}

}  // namespace

int run_command_line(const std::vector<std::string>& arguments, const HeldSignals& signals) {
  return CommandLine(signals).run(arguments);
}

}  // namespace codecarbon::cli
