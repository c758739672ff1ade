#include <fmt/core.h>

#include <CLI/App.hpp>
#include <vector>

#include "base/text.hpp"
#include "command.hpp"
#include "config/options_doc.hpp"
#include "human.hpp"
#include "option_flags.hpp"
#include "output.hpp"
#include "settings.hpp"

namespace codecarbon::cli {
namespace {

class Config final : public Command {
 public:
  std::string_view name() const override { return "config"; }
  std::string_view summary() const override {
    return "The options in force here, and where each comes from";
  }
  void declare(CLI::App& app) override {
    app.add_flag("--markdown", as_markdown_, "The reference of all options instead, as Markdown");
    flags_.declare(app);
  }
  Result<int> run(const Words&) override {
    if (as_markdown_) return print(options_markdown());
    const auto keywords = flags_.read();
    if (!keywords) return tl::unexpected(keywords.error());
    const auto effective = effective_options(*keywords);
    if (!effective) return tl::unexpected(effective.error());
    return print(table(*effective));
  }

 private:
  static std::string table(const ResolvedOptions& effective) {
    std::vector<std::vector<std::string>> rows;
    for (const OptionRow& row : option_table()) {
      const Options& options = effective.options;
      const std::string value = row.is_set(options) ? in_quotes(row.show(options)) : "-";
      const auto origin = effective.origins.find(row.name);
      rows.push_back({std::string(row.name), value,
                      origin == effective.origins.end() ? "not set" : origin->second});
    }
    return align(rows, 0);
  }

  OptionFlags flags_;
  bool as_markdown_ = false;
};

}  // namespace

std::unique_ptr<Command> make_config() {
  return std::make_unique<Config>();
}

}  // namespace codecarbon::cli
