#include "sensors/craypm/counter_text.hpp"

#include <charconv>
#include <limits>

#include "base/text.hpp"
#include "host/host.hpp"

namespace codecarbon::craypm {
namespace {

constexpr std::int64_t kMicro = 1'000'000;

/// "us" after a number: the moment of the reading.
bool is_time(std::string_view text) {
  const std::string_view number = take_until(text, ' ');
  return parse_integer(number).has_value() && text == "us";
}

/// The number of "cpu0" or "accel12".
std::optional<int> numbered(std::string_view part, std::string_view word) {
  if (!part.starts_with(word)) return std::nullopt;
  part.remove_prefix(word.size());
  int index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (error != std::errc{} || end != part.data() + part.size() || index < 0) return std::nullopt;
  return index;
}

}  // namespace

std::optional<std::int64_t> parse_joules(std::string_view text) {
  text = trimmed(text);
  const auto joules = parse_integer(take_until(text, ' '));
  const std::string_view unit = take_until(text, ' ');
  if (!joules || unit != "J" || !(text.empty() || is_time(text))) return std::nullopt;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / kMicro;
  if (*joules < 0 || *joules > kMost) return std::nullopt;
  return *joules * kMicro;
}

std::optional<Domain> parse_counter_name(std::string_view name) {
  constexpr std::string_view kEnd = "_energy";
  if (name == "energy") return Domain{DomainKind::node, 0, 0, "node"};
  if (!name.ends_with(kEnd)) return std::nullopt;
  name.remove_suffix(kEnd.size());
  if (name == "cpu") return Domain{DomainKind::cpu, 0, 0, "cpu"};
  if (name == "memory") return Domain{DomainKind::ram, 0, 0, "memory"};
  if (const auto socket = numbered(name, "cpu")) {
    return Domain{DomainKind::package, *socket, 0, "package-" + std::to_string(*socket)};
  }
  if (const auto card = numbered(name, "accel")) {
    return Domain{DomainKind::gpu, *card, 0, std::string(name)};
  }
  return std::nullopt;
}

}  // namespace codecarbon::craypm
