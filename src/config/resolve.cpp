#include "config/resolve.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "config/option_table.hpp"
#include "config/sources.hpp"

namespace codecarbon {
namespace {

namespace fs = std::filesystem;

/// Where the value in use of each option came from.
using Origins = std::map<std::string_view, std::string>;

Status check_keyword(const OptionRow& row, const Options& keywords, std::string_view origin) {
  const Status status = row.check(keywords);
  if (status) return status;
  return fail(ErrorKind::invalid_value,
              rejection({row.name, row.show(keywords), origin}, row.accepted));
}

/// Settles one option; what weaker sources say of it is not looked at.
Status settle(const OptionRow& row, Options& options, const std::vector<Source>& sources,
              std::string_view keywords_origin, Origins& origins) {
  if (row.is_set(options)) {
    origins[row.name] = keywords_origin;
    return check_keyword(row, options, keywords_origin);
  }
  for (const Source& source : sources) {
    const auto found = source.find(row.name);
    if (found == source.end()) continue;
    origins[row.name] = found->second.origin;
    return set_option(options, row.name, found->second.text, found->second.origin);
  }
  return {};
}

/// Folders and files that must be there before anything else is done, relative ones as the process
/// sees them.
class PathCheck {
 public:
  PathCheck(const fs::path& working_directory, const Origins& origins)
      : working_directory_(working_directory), origins_(origins) {}

  Status folder(std::string_view option, const std::optional<std::string>& value) const {
    if (!value) return {};
    std::error_code error;
    const auto status = fs::status(working_directory_ / *value, error);
    if (fs::is_directory(status)) return {};
    if (fs::exists(status)) return refuse(option, *value, "it is no folder", "an existing folder");
    if (status.type() == fs::file_type::not_found) {
      return refuse(option, *value, "there is no such folder", "an existing folder");
    }
    return refuse(option, *value, error.message(), "an existing folder");
  }

  Status file(std::string_view option, const std::optional<std::string>& value) const {
    if (!value) return {};
    const fs::path path = working_directory_ / *value;
    std::error_code error;
    if (fs::is_directory(path, error)) {
      return refuse(option, *value, "it is a folder", "a readable file");
    }
    if (::access(path.c_str(), R_OK) == 0) return {};
    const std::error_code reason(errno, std::generic_category());
    return refuse(option, *value, reason.message(), "a readable file");
  }

 private:
  Status refuse(std::string_view option, std::string_view value, std::string_view why,
                std::string_view accepted) const {
    return fail(ErrorKind::missing_file,
                rejection({option, value, origins_.at(option)},
                          fmt::format("{}; it must be {}", why, accepted)));
  }

  const fs::path& working_directory_;
  const Origins& origins_;
};

Status check_paths(const Options& options, const fs::path& working_directory,
                   const Origins& origins) {
  const PathCheck check(working_directory, origins);
  if (auto status = check.folder("host_root", options.host_root); !status) return status;
  if (auto status = check.file("machine", options.machine); !status) return status;
  if (!options.save_to_file.value_or(true)) return {};
  const bool elsewhere = fs::path(options.output_file.value_or("")).is_absolute();
  return elsewhere ? Status{} : check.folder("output_dir", options.output_dir);
}

}  // namespace

Result<ResolvedOptions> resolve_options(const Options& keywords, const Environment& environment,
                                        const fs::path& working_directory, const Logger& logger,
                                        std::string_view keywords_origin) {
  const auto sources = gather_sources(environment, working_directory, logger);
  if (!sources) return tl::unexpected<Error>(sources.error());
  ResolvedOptions resolved{keywords, {}};
  for (const OptionRow& row : option_table()) {
    auto status = settle(row, resolved.options, *sources, keywords_origin, resolved.origins);
    if (!status) return tl::unexpected<Error>(std::move(status.error()));
  }
  auto status = check_paths(resolved.options, working_directory, resolved.origins);
  if (!status) return tl::unexpected<Error>(std::move(status.error()));
  return resolved;
}

}  // namespace codecarbon
