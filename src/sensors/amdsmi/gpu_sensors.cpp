#include "sensors/amdsmi/gpu_sensors.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "sensors/amdsmi/count_scale.hpp"

namespace codecarbon::amdsmi {
namespace {

// 2^-16 J, rounded up.
constexpr auto kResolution = Energy::from_uj(16);

// Some firmware (Arcturus, Navi) counts in 32 bits, which is 65.5 kJ, and nothing says which. What
// stands higher has more.
constexpr std::uint64_t kNarrow = 1ULL << 32U;

std::string address_of(std::uint64_t packed) {
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", packed >> 32U, packed >> 8U & 0xffU,
                     packed >> 3U & 0x1fU, packed & 7U);
}

std::string read_line(const Host& host, const std::string& path) {
  const auto text = host.read(path);
  return text ? std::string(trimmed(*text)) : std::string{};
}

Domain place_of(const Host& host, const Gpu& gpu, int index) {
  Domain domain{DomainKind::gpu, index, 0, fmt::format("AMD GPU {}", index), Vendor::amd};
  const auto packed = gpu.pci_id();
  if (!packed) return domain;
  domain.bus_id = address_of(*packed);
  const std::string device = "sys/bus/pci/devices/" + domain.bus_id;
  const std::string product = read_line(host, device + "/product_name");
  if (!product.empty()) domain.name = product;
  const std::string id = read_line(host, device + "/unique_id");
  if (!id.empty()) domain.uuid = "GPU-" + lower(id);  // as ROCR_VISIBLE_DEVICES writes it
  return domain;
}

/// Why this GPU has no counter here; nothing if it has one, or may have.
std::optional<std::string> no_counter(const Answer<EnergyCount>& count) {
  if (!count && count.error() == CallFault::unsupported) {
    return "it has no energy counter, or it is the second die of a card, which is counted with "
           "the first";
  }
  if (count && count->counts == 0) {
    return "its energy counter has counted nothing: it is the second die of a card, which is "
           "counted with the first, or its firmware does not count";
  }
  if (count && !CountScale::of(count->resolution_uj)) return "its energy counter has no known unit";
  return std::nullopt;
}

/// After what the counter may wrap, if it may.
std::optional<Energy> range_of(const EnergyCount& count) {
  const auto scale = CountScale::of(count.resolution_uj);
  if (!scale || count.counts >= kNarrow) return std::nullopt;
  return Energy::from_uj(*scale->microjoules(kNarrow));
}

Finding judge(const std::string& subject, const Answer<EnergyCount>& count) {
  if (const auto reason = no_counter(count)) {
    return {Finding::Outcome::unsupported, subject, *reason,
            "where the kernel shows its power, that is used"};
  }
  if (count) return {Finding::Outcome::found, subject, {}, {}};
  return {Finding::Outcome::denied, subject, "its driver does not answer now",
          "it is asked again at every sample, and what it used until then is a gap"};
}

}  // namespace

GpuSensors look_at(const Host& host, const std::string& library, const Gpu& gpu, int index) {
  SensorInfo info;
  info.domain = place_of(host, gpu, index);
  info.source = fmt::format("{} of {}", library, info.domain.bus_id);
  const auto count = gpu.energy();
  GpuSensors found{{},
                   judge(info.domain.name + " (" + info.source + ")", count),
                   info.domain.bus_id,
                   count && count->counts == 0};
  if (!no_counter(count)) {
    found.sensors.push_back(info);
    found.sensors.back().resolution = kResolution;
    if (count) found.sensors.back().range = range_of(*count);
  }
  if (gpu.busy_percent()) {
    info.quantity = Quantity::utilization;
    found.sensors.push_back(info);
  }
  if (const auto total = gpu.memory_total(); total && *total <= INT64_MAX && gpu.memory_used()) {
    info.quantity = Quantity::memory_used;
    info.memory_total = static_cast<std::int64_t>(*total);
    found.sensors.push_back(info);
  }
  return found;
}

}  // namespace codecarbon::amdsmi
