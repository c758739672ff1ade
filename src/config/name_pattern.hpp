#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace codecarbon {

/// What the names in a pattern stand for.
struct NameValues {
  int rank = 0;
  int local_rank = 0;
  int world_size = 1;
  std::string job = "none";
  std::string host;
};

/// A file's name with values in it: `emissions-{rank:03d}.csv`. Names are {rank}, {local_rank} and
/// {world_size}, each also with a width as {rank:3} or {rank:03d} (at most 20), {job} and {host};
/// `{{` and `}}` are braces.
bool is_name_pattern(std::string_view pattern);

/// The name; missing when this is no pattern. Whatever a value holds, it is no folder.
std::optional<std::string> expand_name(std::string_view pattern, const NameValues& values);

/// `path` with the name of the file in it expanded, which is_file_template accepts.
std::string expand_file(std::string_view path, const NameValues& values);

}  // namespace codecarbon
