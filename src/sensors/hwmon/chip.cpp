#include "sensors/hwmon/chip.hpp"

#include <algorithm>
#include <charconv>

#include "base/text.hpp"

namespace codecarbon::hwmon {
namespace {

constexpr std::string_view kTree = "sys/class/hwmon";

}  // namespace

std::vector<Chip> find_chips(const Host& host) {
  std::vector<Chip> chips;
  for (const std::string& entry : host.list(kTree)) {
    const std::string folder = std::string(kTree) + "/" + entry;
    for (const std::string& place : {folder, folder + "/device"}) {
      Chip chip{{}, place};
      chip.name = text_of(host, chip, "name");
      if (chip.name.empty()) continue;
      // The name may stand in the one folder and the readings in the other.
      const bool elsewhere = place == folder && !host.exists(folder + "/power1_average") &&
                             host.exists(folder + "/device/power1_average");
      if (elsewhere) chip.folder = folder + "/device";
      chips.push_back(std::move(chip));
      break;
    }
  }
  return chips;
}

std::vector<int> channels(const Host& host, const Chip& chip, std::string_view prefix,
                          std::string_view suffix) {
  std::vector<int> numbers;
  for (const std::string& name : host.list(chip.folder)) {
    std::string_view text = name;
    if (!text.starts_with(prefix) || !text.ends_with(suffix)) continue;
    text.remove_prefix(prefix.size());
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (error == std::errc{} && text == suffix) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::string text_of(const Host& host, const Chip& chip, std::string_view file) {
  const auto text = host.read(chip.folder + "/" + std::string(file));
  return text ? std::string(trimmed(*text)) : std::string();
}

}  // namespace codecarbon::hwmon
