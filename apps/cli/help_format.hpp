#pragma once

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <string>
#include <vector>

namespace codecarbon::cli {

/// How --help looks: CLI11's layout with `--flag, --no-flag` and placeholders written plainly.
class HelpFormat final : public CLI::Formatter {
 public:
  /// `words` is how the usage calls what may stand behind the flags.
  explicit HelpFormat(std::string words = {});

  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override;
  std::string make_description(const CLI::App* app) const override;

 private:
  std::string words_;
};

}  // namespace codecarbon::cli
