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

#include "base/text.hpp"
#include "config/option_table.hpp"
#include "config/sources.hpp"

namespace codecarbon {
namespace {

namespace fs = std::filesystem;

/// Where the value in use of each option came from.
using Origins = decltype(ResolvedOptions::origins);

Status check_keyword(const OptionRow& row, const Options& keywords, std::string_view origin) {
  if (row.check(keywords)) return {};
  return refuse({row.name, row.show(keywords), origin}, row.accepted);
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
    const auto trouble = trouble_with_folder(*value);
    if (!trouble) return {};
    return refused(option, *value, *trouble + "; it must be an existing folder");
  }

  /// The folder of the file that is going to be written.
  Status output(const Options& options) const {
    const std::string name = options.output_file.value_or("");
    const fs::path file(name);
    if (file.is_relative()) {
      if (auto status = folder("output_dir", options.output_dir); !status) return status;
    }
    if (!file.has_parent_path()) return {};
    const fs::path where = fs::path(options.output_dir.value_or("")) / file.parent_path();
    const auto trouble = trouble_with_folder(where);
    if (!trouble) return {};
    return refused("output_file", name,
                   fmt::format("its folder is {}: {}; it must be in an existing folder",
                               in_quotes(where.lexically_normal().string()), *trouble));
  }

  Status file(std::string_view option, const std::optional<std::string>& value) const {
    if (!value) return {};
    const fs::path path = working_directory_ / *value;
    std::error_code error;
    if (fs::is_directory(path, error)) {
      return refused(option, *value, "it is a folder; it must be a readable file");
    }
    if (::access(path.c_str(), R_OK) == 0) return {};
    const std::error_code reason(errno, std::generic_category());
    return refused(option, *value, reason.message() + "; it must be a readable file");
  }

 private:
  std::optional<std::string> trouble_with_folder(const fs::path& path) const {
    std::error_code error;
    const auto status = fs::status(working_directory_ / path, error);
    if (fs::is_directory(status)) return std::nullopt;
    if (status.type() == fs::file_type::not_found) return "there is no such folder";
    return error ? error.message() : "it is no folder";
  }

  Status refused(std::string_view option, std::string_view value, std::string_view why) const {
    return refuse({option, value, origins_.find(option)->second}, why, ErrorKind::missing_file);
  }

  const fs::path& working_directory_;
  const Origins& origins_;
};

Status check_paths(const Options& options, const fs::path& working_directory,
                   const Origins& origins) {
  const PathCheck check(working_directory, origins);
  if (auto status = check.folder("host_root", options.host_root); !status) return status;
  if (auto status = check.file("machine", options.machine); !status) return status;
  return options.save_to_file.value_or(true) ? check.output(options) : Status{};
}

/// A rank among more ranks than there are says nothing of either.
Status check_below_world_size(std::string_view option, const std::optional<int>& value,
                              const Options& options, const Origins& origins) {
  if (!value || !options.world_size || *value < *options.world_size) return {};
  return refuse(
      {option, std::to_string(*value), origins.find(option)->second},
      fmt::format("a whole number from 0 to {}, below world_size{}", *options.world_size - 1,
                  origin_suffix(origins.find("world_size")->second)));
}

Status check_ranks(const Options& options, const Origins& origins) {
  if (auto status = check_below_world_size("rank", options.rank, options, origins); !status) {
    return status;
  }
  return check_below_world_size("local_rank", options.local_rank, options, origins);
}

}  // namespace

Error ResolvedOptions::with_origin(Error error) const {
  const auto origin = origins.find(error.option);
  if (origin != origins.end()) error.message += origin_suffix(origin->second);
  return error;
}

Result<ResolvedOptions> resolve_options(const Options& keywords, const Environment& environment,
                                        const fs::path& working_directory,
                                        std::string_view keywords_origin) {
  const auto sources = gather_sources(environment, working_directory);
  if (!sources) return tl::unexpected<Error>(sources.error());
  ResolvedOptions resolved{keywords, {}};
  for (const OptionRow& row : option_table()) {
    auto status = settle(row, resolved.options, *sources, keywords_origin, resolved.origins);
    if (!status) return tl::unexpected<Error>(std::move(status.error()));
  }
  auto status = check_ranks(resolved.options, resolved.origins);
  if (status) status = check_paths(resolved.options, working_directory, resolved.origins);
  if (!status) return tl::unexpected<Error>(std::move(status.error()));
  return resolved;
}

}  // namespace codecarbon
