#include "config/name_pattern.hpp"

#include <fmt/format.h>

#include "base/file_name.hpp"
#include "base/text.hpp"
#include "host/host.hpp"

namespace codecarbon {
namespace {

constexpr int kWidest = 20;

std::optional<std::string> number_in(std::string_view format, int value) {
  if (format.ends_with('d')) format.remove_suffix(1);
  const bool zeros = format.starts_with('0');
  if (format.empty()) return std::to_string(value);
  if (format.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  const auto width = parse_integer(format);
  if (!width || *width > kWidest) return std::nullopt;
  const int columns = static_cast<int>(*width);
  return zeros ? fmt::format("{:0{}}", value, columns) : fmt::format("{:{}}", value, columns);
}

/// What "rank:03d" stands for; missing when it stands for nothing.
std::optional<std::string> value_of(std::string_view field, const NameValues& values) {
  const bool has_format = field.find(':') != std::string_view::npos;
  const auto name = take_until(field, ':');
  if (name == "rank") return number_in(field, values.rank);
  if (name == "local_rank") return number_in(field, values.local_rank);
  if (name == "world_size") return number_in(field, values.world_size);
  if (has_format) return std::nullopt;
  if (name == "job") return file_name_part(values.job);
  if (name == "host") return file_name_part(values.host);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> expand_name(std::string_view pattern, const NameValues& values) {
  std::string name;
  while (!pattern.empty()) {
    const char c = pattern.front();
    const bool doubled = pattern.size() > 1 && pattern[1] == c;
    if ((c != '{' && c != '}') || doubled) {
      name += c;
      pattern.remove_prefix(c == '{' || c == '}' ? 2 : 1);
      continue;
    }
    const auto end = pattern.find('}');
    if (c == '}' || end == std::string_view::npos) return std::nullopt;
    const auto value = value_of(pattern.substr(1, end - 1), values);
    if (!value) return std::nullopt;
    name += *value;
    pattern.remove_prefix(end + 1);
  }
  return name;
}

bool is_name_pattern(std::string_view pattern) {
  return expand_name(pattern, NameValues{}).has_value();
}

std::string expand_file(std::string_view path, const NameValues& values) {
  const auto name = path.find_last_of('/') + 1;
  return std::string(path.substr(0, name)) +
         expand_name(path.substr(name), values).value_or(std::string(path.substr(name)));
}

}  // namespace codecarbon
