#include "help_format.hpp"

#include <utility>

namespace codecarbon::cli {

namespace {

constexpr std::size_t kNameColumns = 30;
constexpr std::size_t kTextColumns = 50;

std::string wrapped(std::string text) {
  std::size_t line = 0;
  while (text.size() - line > kTextColumns) {
    const std::size_t blank = text.rfind(' ', line + kTextColumns);
    if (blank == std::string::npos || blank <= line) break;
    text[blank] = '\n';
    line = blank + 1;
  }
  return text;
}

}  // namespace

HelpFormat::HelpFormat(std::string words) : words_(std::move(words)) {
  column_width(kNameColumns);
}

std::string HelpFormat::make_usage(const CLI::App* app, std::string name) const {
  const bool is_root = app->get_parent() == nullptr;
  std::string usage = "\nUsage: " + (is_root ? app->get_name() : name);
  usage += is_root ? " COMMAND [FLAGS]" : " [FLAGS]";
  return usage + (words_.empty() ? "" : " " + words_) + "\n\n";
}

std::string HelpFormat::make_option_name(const CLI::Option* option, bool) const {
  std::string names;
  for (const std::string& name : option->get_snames()) names += "-" + name + ", ";
  for (const std::string& name : option->get_lnames()) names += "--" + name + ", ";
  return names.substr(0, names.size() - 2);
}

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  const bool has_value = option->get_items_expected_max() > 0;
  return has_value && !option->get_type_name().empty() ? " " + option->get_type_name() : "";
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
  return wrapped(option->get_description());
}

std::string HelpFormat::make_group(std::string group, bool is_positional,
                                   std::vector<const CLI::Option*> options) const {
  std::string text = group + ":\n";
  for (const CLI::Option* option : options) text += make_option(option, is_positional);
  return text;
}

std::string HelpFormat::make_description(const CLI::App* app) const {
  return app->get_description() + "\n";
}

}  // namespace codecarbon::cli
