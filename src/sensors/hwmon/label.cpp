#include "sensors/hwmon/label.hpp"

#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "base/text.hpp"

namespace codecarbon::hwmon {
namespace {

constexpr std::array<std::pair<std::string_view, SocketPart>, 10> kForms = {{
    {"module power socket ", SocketPart::module},
    {"grace power socket ", SocketPart::socket},
    {"cpu power socket ", SocketPart::cores},
    {"sysio power socket ", SocketPart::rest},
    {"total power in uw socket ", SocketPart::socket},
    {"total input power in uw socket ", SocketPart::socket},
    {"cpu rail power in uw socket ", SocketPart::cores},
    {"cpu rail input power in uw socket ", SocketPart::cores},
    {"soc rail power in uw socket ", SocketPart::rest},
    {"soc rail input power in uw socket ", SocketPart::rest},
}};

}  // namespace

std::optional<int> number_after(std::string_view text, std::string_view word) {
  if (!text.starts_with(word)) return std::nullopt;
  text.remove_prefix(word.size());
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

std::optional<SocketLabel> parse_socket_label(std::string_view label) {
  const std::string text = lower(trimmed(label));
  for (const auto& [form, part] : kForms) {
    if (const auto socket = number_after(text, form)) return SocketLabel{part, *socket};
  }
  return std::nullopt;
}

}  // namespace codecarbon::hwmon
