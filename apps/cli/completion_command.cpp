#include <fmt/core.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.hpp"
#include "command.hpp"
#include "completion.hpp"
#include "config/option_table.hpp"
#include "output.hpp"

namespace codecarbon::cli {
namespace {

constexpr std::array<std::string_view, 3> kShells{"bash", "zsh", "fish"};
constexpr std::string_view kUsage = "bash|zsh|fish";

// The words that an option takes stand in its `accepted`, among others that it refuses.
std::vector<std::string> words_of(const OptionRow& row) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : std::string(row.accepted) + ".") {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      word += c;
      continue;
    }
    Options scratch;
    if (!word.empty() && row.set(scratch, word)) words.push_back(word);
    word.clear();
  }
  return words;
}

const OptionRow* row_of(const std::string& flag) {
  for (const OptionRow& row : option_table()) {
    if (flag_name(row) == flag) return &row;
  }
  return nullptr;
}

FlagHint hint(const CLI::Option& option, const std::string& name) {
  FlagHint flag{"--" + name, option.get_description(), FlagHint::Value::none, {}};
  if (option.get_items_expected_max() == 0) return flag;
  const std::string placeholder = option.get_type_name();
  const OptionRow* row = row_of(flag.name);
  flag.value = FlagHint::Value::anything;
  if (placeholder == "FILE") flag.value = FlagHint::Value::file;
  if (placeholder == "FOLDER") flag.value = FlagHint::Value::folder;
  if (placeholder == "FORM") flag.words = {"text", "json", "none"};
  if (row && (placeholder == "MODE" || placeholder == "SET" || placeholder == "LEVEL")) {
    flag.words = words_of(*row);
  }
  if (!flag.words.empty()) flag.value = FlagHint::Value::words;
  return flag;
}

CommandHint hint(const CLI::App& app) {
  CommandHint command{app.get_name(), app.get_description(), {}, app.get_name() == "monitor", {}};
  if (app.get_name() == "completion") command.words.assign(kShells.begin(), kShells.end());
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) {
      command.flags.push_back(hint(*option, name));
    }
  }
  return command;
}

class Completion final : public Command {
 public:
  std::string_view name() const override { return "completion"; }
  std::string_view summary() const override { return "A script that completes words in a shell"; }
  std::string_view words() const override { return kUsage; }
  void declare(CLI::App& app) override {
    app.footer("Example: eval \"$(codecarbon completion bash)\"");
    root_ = app.get_parent();
  }
  Result<int> run(const Words& words) override {
    std::vector<CommandHint> commands;
    for (const CLI::App* app : root_->get_subcommands({})) commands.push_back(hint(*app));
    const std::string shell = words.size() == 1 ? words.front() : std::string{};
    const auto script = completion_script(shell, commands);
    if (script) return print(*script);
    return fail(
        ErrorKind::invalid_value,
        fmt::format("completion: {} is not accepted: give bash, zsh or fish", in_quotes(shell)));
  }

 private:
  CLI::App* root_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_completion() {
  return std::make_unique<Completion>();
}

}  // namespace codecarbon::cli
