#include "sensors/rapl/zone_name.hpp"

#include <array>
#include <charconv>
#include <utility>

namespace codecarbon::rapl {
namespace {

constexpr std::array<std::pair<std::string_view, DomainKind>, 5> kKinds = {{
    {"package", DomainKind::package},
    {"psys", DomainKind::psys},
    {"core", DomainKind::core},
    {"uncore", DomainKind::uncore},
    {"dram", DomainKind::dram},
}};

/// Takes `word` and the whole number behind it off `text`.
std::optional<int> take_number(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return std::nullopt;
  text.remove_prefix(word.size());
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// What follows the kind: nothing, "-N" or "-N-die-M".
std::optional<ZoneName> parse_place(DomainKind kind, std::string_view text) {
  ZoneName name{kind, std::nullopt, 0};
  if (text.empty()) return name;
  name.index = take_number(text, "-");
  if (!name.index) return std::nullopt;
  if (text.empty()) return name;
  const auto die = take_number(text, "-die-");
  if (!die || !text.empty()) return std::nullopt;
  name.die = *die;
  return name;
}

}  // namespace

std::optional<ZoneName> parse_zone_name(std::string_view name) {
  while (!name.empty() && (name.back() == '\n' || name.back() == ' ')) name.remove_suffix(1);
  for (const auto& [word, kind] : kKinds) {
    if (name.starts_with(word)) return parse_place(kind, name.substr(word.size()));
  }
  return std::nullopt;
}

}  // namespace codecarbon::rapl
