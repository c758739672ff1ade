#include "config/sources.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "codecarbon/clock.hpp"
#include "config/config_file.hpp"
#include "config/option_table.hpp"
#include "config/text.hpp"
#include "host/host.hpp"

namespace codecarbon {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kConfigFile = ".codecarbon.config";
constexpr std::string_view kEnvironmentPrefix = "CODECARBON_";

Source from_environment(const Environment& environment) {
  Source source;
  for (const auto& [variable, text] : environment.all()) {
    if (!variable.starts_with(kEnvironmentPrefix)) continue;
    // Variables come sorted, so CODECARBON_PUE goes before CODECARBON_pue.
    source.emplace(lower(std::string_view(variable).substr(kEnvironmentPrefix.size())),
                   Found{text, "environment " + variable});
  }
  return source;
}

Source from_defaults() {
  Source source;
  for (const OptionRow& row : option_table()) {
    if (row.default_text.empty()) continue;
    source.emplace(row.name, Found{std::string(row.default_text), "default"});
  }
  return source;
}

/// A file that is not there says nothing; one that cannot be read is worth a warning, not a
/// failure.
Result<Source> from_file(const fs::path& folder, const Logger& logger) {
  const Host files(folder, Environment{}, std::make_shared<SystemClock>());
  const auto content = files.read(kConfigFile);
  if (!content) {
    if (content.error().kind != ErrorKind::missing_file) {
      logger.once(LogLevel::warning, content.error().message,
                  content.error().message + "; the run goes on without this configuration file");
    }
    return Source{};
  }
  const std::string file = files.resolve(kConfigFile).string();
  const auto values = parse_config_file(*content, file);
  if (!values) return tl::unexpected<Error>(values.error());
  Source source;
  for (const auto& [name, value] : *values) {
    source.emplace(name, Found{value.text, fmt::format("file {} line {}", file, value.line)});
  }
  return source;
}

}  // namespace

Result<std::vector<Source>> gather_sources(const Environment& environment,
                                           const fs::path& working_directory,
                                           const Logger& logger) {
  std::vector<Source> sources{from_environment(environment)};
  std::vector<fs::path> folders{working_directory};
  const auto home = environment.get("HOME");
  if (home && !home->empty()) folders.emplace_back(*home);
  for (const fs::path& folder : folders) {
    auto source = from_file(folder, logger);
    if (!source) return tl::unexpected<Error>(std::move(source.error()));
    sources.push_back(std::move(*source));
  }
  sources.push_back(from_defaults());
  return sources;
}

}  // namespace codecarbon
