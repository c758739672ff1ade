#include "sensors/gpu_hwmon/gpu_hwmon.hpp"

#include <memory>
#include <utility>

#include "sensors/files/number_file.hpp"
#include "sensors/gpu_hwmon/card.hpp"
#include "sensors/gpu_hwmon/meter_choice.hpp"

namespace codecarbon::gpu_hwmon {
namespace {

// Cards go beyond their limit for moments, by up to the double of it.
constexpr std::int64_t kExcursion = 2;
constexpr auto kHighestLimit = Power::from_uw(5'000'000'000);  // above it a limit says nothing

// The register of i915 and xe has 32 bits of 2^-14 J, which is 4.4 minutes at 1 kW
// (drivers/gpu/drm/ i915/i915_hwmon.c, Linux 6.2), and the drivers add up what they see of it when
// they are read.
constexpr auto kRegister = Energy::from_uj((1LL << 32) * 1'000'000 >> 14);

/// The meter of one card.
class CardProbe final : public Probe {
 public:
  CardProbe(SensorInfo sensor, NumberFile file)
      : sensor_(std::move(sensor)), file_(std::move(file)) {}

  std::span<const SensorInfo> sensors() const override { return {&sensor_, 1}; }
  void read(MonoTime tick, std::span<Reading> readings) override {
    readings[0] = {tick, file_.read()};
  }
  /// The driver asks the card, wakes it if it sleeps, and waits if it is being reset.
  bool may_hang() const override { return true; }

 private:
  SensorInfo sensor_;
  NumberFile file_;
};

SensorInfo describe(const Host& host, const Card& card, const MeterChoice& meter) {
  SensorInfo info;
  info.domain = card.domain;
  info.quantity = meter.quantity;
  info.source = host.resolve(meter.path).string();
  if (meter.quantity == Quantity::energy) info.unread_range = kRegister;
  if (meter.limit && *meter.limit <= kHighestLimit) {
    info.plausible_power = Power::from_uw(meter.limit->uw() * kExcursion);
  }
  return info;
}

Finding report(const Host& host, const SensorInfo& sensor, NumberFile& file) {
  const std::string subject = sensor.domain.name + " (" + sensor.source + ")";
  if (file.read()) return {Finding::Outcome::found, subject, {}, {}};
  const auto text = host.read(file.path());
  return {Finding::Outcome::denied, subject,
          text ? "it does not hold a number now" : text.error().message,
          "it is read again at every sample, and what it used until then is a gap"};
}

void add_card(const std::shared_ptr<const Host>& host, const Card& card, Discovery& discovery) {
  auto meter = choose_meter(*host, card);
  if (!meter) {
    discovery.findings.push_back(std::move(meter.error()));
    return;
  }
  SensorInfo sensor = describe(*host, card, *meter);
  NumberFile file = NumberFile::awaited(host, meter->path);
  discovery.findings.push_back(report(*host, sensor, file));
  discovery.probes.push_back(std::make_unique<CardProbe>(std::move(sensor), std::move(file)));
}

}  // namespace

Discovery discover(const Host& host, const SensorSettings&) {
  Discovery discovery;
  const auto shared = std::make_shared<const Host>(host);
  for (const Card& card : find_cards(host)) add_card(shared, card, discovery);
  if (discovery.findings.empty()) {
    discovery.findings.push_back({Finding::Outcome::absent,
                                  host.resolve("sys/class/hwmon").string(),
                                  "no graphics card shows energy or power there",
                                  {}});
  }
  return discovery;
}

}  // namespace codecarbon::gpu_hwmon
