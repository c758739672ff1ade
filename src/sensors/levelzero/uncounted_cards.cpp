#include "sensors/levelzero/uncounted_cards.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace codecarbon::levelzero {
namespace {

constexpr std::string_view kDevices = "sys/bus/pci/devices";

std::string read_line(const Host& host, const std::string& path) {
  const auto text = host.read(path);
  return text ? std::string(trimmed(*text)) : std::string{};
}

bool is_card(const Host& host, const std::string& device, std::string_view address) {
  return !address.starts_with("0000:00:") && read_line(host, device + "/vendor") == "0x8086" &&
         read_line(host, device + "/class").starts_with("0x03");  // display controllers
}

bool is_counted(const Host& host, const std::string& device) {
  const auto names = host.list(device + "/hwmon");
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const std::string stem = device + "/hwmon/" + name;
    return host.exists(stem + "/energy1_input") || host.exists(stem + "/energy2_input");
  });
}

}  // namespace

std::vector<std::string> uncounted_cards(const Host& host) {
  std::vector<std::string> cards;
  for (const std::string& address : host.list(kDevices)) {
    const std::string device = std::string(kDevices) + "/" + address;
    if (is_card(host, device, address) && !is_counted(host, device)) cards.push_back(address);
  }
  return cards;
}

}  // namespace codecarbon::levelzero
