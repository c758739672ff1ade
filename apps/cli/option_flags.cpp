#include "option_flags.hpp"

#include <fmt/core.h>

#include <CLI/App.hpp>
#include <string>

namespace codecarbon::cli {
namespace {

std::string help_of(const OptionRow& row) {
  if (row.default_text.empty()) return std::string(row.help);
  return fmt::format("{} [{}]", row.help, row.default_text);
}

CLI::Option* declare_flag(CLI::App& app, const OptionRow& row) {
  const std::string name = flag_name(row);
  if (row.is_boolean) {
    return app.add_flag(fmt::format("{},!--no-{}", name, name.substr(2)))
        ->description(help_of(row));
  }
  const auto keep_text = [](const CLI::results_t&) { return true; };
  return app.add_option(name, CLI::callback_t(keep_text), help_of(row))
      ->type_name(std::string(row.placeholder));
}

}  // namespace

void OptionFlags::declare(CLI::App& app) {
  for (const OptionRow& row : option_table()) {
    CLI::Option* option = declare_flag(app, row);
    option->group(std::string(row.section));
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    flags_.push_back({&row, option});
  }
}

Result<Options> OptionFlags::read() const {
  Options options;
  for (const Flag& flag : flags_) {
    if (flag.parsed->count() == 0) continue;
    const Status set =
        set_option(options, flag.row->name, flag.parsed->results().back(), flag_name(*flag.row));
    if (!set) return tl::unexpected(set.error());
  }
  return options;
}

}  // namespace codecarbon::cli
