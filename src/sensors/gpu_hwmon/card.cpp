#include "sensors/gpu_hwmon/card.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/text.hpp"

namespace codecarbon::gpu_hwmon {
namespace {

constexpr std::string_view kHwmon = "sys/class/hwmon";

Vendor vendor_of(std::string_view driver) {
  if (driver == "amdgpu") return Vendor::amd;
  if (driver == "i915" || driver == "xe") return Vendor::intel;
  return Vendor::unknown;
}

std::string read_line(const Host& host, const std::string& path) {
  const auto text = host.read(path);
  return text ? std::string(trimmed(*text)) : std::string{};
}

/// The value of `key` in the lines of a uevent file, "PCI_SLOT_NAME=0000:03:00.0".
std::string value_of(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    std::string_view line = take_until(text, '\n');
    if (take_until(line, '=') == key) return std::string(trimmed(line));
  }
  return {};
}

Domain describe(const Host& host, const std::string& folder, Vendor vendor) {
  const std::string uevent = host.read(folder + "/device/uevent").value_or("");
  Domain domain{DomainKind::gpu, 0, 0, read_line(host, folder + "/device/product_name"), vendor};
  domain.bus_id = lower(value_of(uevent, "PCI_SLOT_NAME"));
  if (domain.name.empty()) {
    const std::string maker = vendor == Vendor::amd ? "AMD" : "Intel";
    domain.name = trimmed(maker + " GPU " + lower(value_of(uevent, "PCI_ID")));
  }
  const std::string id = read_line(host, folder + "/device/unique_id");
  if (!id.empty()) domain.uuid = "GPU-" + lower(id);  // as ROCR_VISIBLE_DEVICES writes it
  return domain;
}

bool before(const Card& a, const Card& b) {
  return std::tie(a.domain.vendor, a.domain.bus_id) < std::tie(b.domain.vendor, b.domain.bus_id);
}

}  // namespace

std::vector<Card> find_cards(const Host& host) {
  std::vector<Card> cards;
  for (const std::string& entry : host.list(kHwmon)) {
    std::string folder = std::string(kHwmon) + "/" + entry;
    std::string driver = read_line(host, folder + "/name");
    const Vendor vendor = vendor_of(driver);
    if (vendor == Vendor::unknown) continue;
    Domain domain = describe(host, folder, vendor);
    cards.push_back({std::move(folder), std::move(driver), std::move(domain)});
  }
  std::stable_sort(cards.begin(), cards.end(), before);
  std::map<Vendor, int> seen;
  for (Card& card : cards) card.domain.index = seen[card.domain.vendor]++;
  return cards;
}

}  // namespace codecarbon::gpu_hwmon
