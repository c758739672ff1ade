#include <fmt/core.h>

#include <CLI/App.hpp>
#include <vector>

#include "command.hpp"
#include "config/options_doc.hpp"
#include "config/sources.hpp"
#include "config/text.hpp"
#include "human.hpp"
#include "option_flags.hpp"
#include "output.hpp"
#include "settings.hpp"

namespace codecarbon::cli {
namespace {

std::string origin_of(const OptionRow& row, const Options& keywords,
                      const std::vector<Source>& sources) {
  if (row.is_set(keywords)) return "flag " + flag_name(row);
  for (const Source& source : sources) {
    const auto found = source.find(row.name);
    if (found != source.end()) return found->second.origin;
  }
  return "not set";
}

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
    const auto sources = option_sources();
    if (!sources) return tl::unexpected(sources.error());
    return print(table(*keywords, *effective, *sources));
  }

 private:
  static std::string table(const Options& keywords, const Options& effective,
                           const std::vector<Source>& sources) {
    std::vector<std::vector<std::string>> rows;
    for (const OptionRow& row : option_table()) {
      const std::string value = row.is_set(effective) ? in_quotes(row.show(effective)) : "-";
      rows.push_back({std::string(row.name), value, origin_of(row, keywords, sources)});
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
