#include "config/sources.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "base/text.hpp"
#include "codecarbon/clock.hpp"
#include "config/config_file.hpp"
#include "config/option_table.hpp"
#include "host/host.hpp"

namespace codecarbon {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kConfigFile = ".codecarbon.config";
constexpr std::string_view kEnvironmentPrefix = "CODECARBON_";

Source from_environment(const Environment& environment) {
  Source source;
  for (const auto& [variable, text] : environment.all()) {
    if (!variable.starts_with(kEnvironmentPrefix) || trimmed(text).empty()) continue;
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

constexpr std::size_t kLargestFile = 1U << 20U;

/// One in a folder that this process may not look into is not there for it.
bool is_there(const fs::path& file) {
  std::error_code hidden;
  return fs::exists(fs::symlink_status(file, hidden)) && !hidden;
}

Result<std::string> read_file(const fs::path& folder) {
  const Host files(folder, Environment{}, std::make_shared<SystemClock>());
  const auto content = files.read(kConfigFile);
  if (content && content->size() > kLargestFile) {
    return fail(ErrorKind::format,
                fmt::format("{} is too large for a configuration file: accepted are at most {} "
                            "bytes",
                            files.resolve(kConfigFile).string(), kLargestFile));
  }
  if (content) return content;
  return fail(ErrorKind::io,
              content.error().message + "; make this configuration file readable, or move it away");
}

Result<Source> from_file(const fs::path& folder) {
  const fs::path path = folder / kConfigFile;
  if (!is_there(path)) return Source{};
  const auto content = read_file(folder);
  if (!content) return tl::unexpected<Error>(content.error());
  const std::string file = path.string();
  const auto values = parse_config_file(*content, file);
  if (!values) return tl::unexpected<Error>(values.error());
  Source source;
  for (const auto& [name, value] : *values) {
    if (value.text.empty()) continue;
    source.emplace(name, Found{value.text, fmt::format("file {} line {}", file, value.line)});
  }
  return source;
}

}  // namespace

Result<std::vector<Source>> gather_sources(const Environment& environment,
                                           const fs::path& working_directory) {
  std::vector<Source> sources{from_environment(environment)};
  std::vector<fs::path> folders{working_directory};
  const auto home = environment.get("HOME");
  if (home && !home->empty()) folders.emplace_back(*home);
  for (const fs::path& folder : folders) {
    auto source = from_file(folder);
    if (!source) return tl::unexpected<Error>(std::move(source.error()));
    sources.push_back(std::move(*source));
  }
  sources.push_back(from_defaults());
  return sources;
}

}  // namespace codecarbon
