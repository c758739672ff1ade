#include "sensors/hwmon/rail.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "sensors/files/refusal.hpp"

namespace codecarbon::hwmon {
namespace {

struct KnownRail {
  std::string_view label;
  DomainKind kind;
};

// Jetson Linux Developer Guide (NVIDIA, r35 and r36, "Power Monitor").
constexpr std::array<KnownRail, 4> kRails = {{
    {"VDD_IN", DomainKind::node},     // Xavier NX, Orin NX, Orin Nano
    {"POM_5V_IN", DomainKind::node},  // Nano
    {"VDD_CPU_CV", DomainKind::cpu},  // AGX Orin: with the vision accelerators
    {"POM_5V_CPU", DomainKind::cpu},  // Nano
}};

/// Millivolts times milliamperes are microwatts.
class RailProbe final : public Probe {
 public:
  RailProbe(SensorInfo sensor, NumberFile volts, NumberFile amperes)
      : sensor_(std::move(sensor)), volts_(std::move(volts)), amperes_(std::move(amperes)) {}
  std::span<const SensorInfo> sensors() const override { return {&sensor_, 1}; }
  void read(MonoTime tick, std::span<Reading> readings) override { readings[0] = {tick, power()}; }

 private:
  tl::expected<std::int64_t, ReadFault> power() {
    const auto millivolts = volts_.read();
    if (!millivolts) return millivolts;
    const auto milliamperes = amperes_.read();
    if (!milliamperes) return milliamperes;
    return *millivolts * *milliamperes;
  }

  SensorInfo sensor_;
  NumberFile volts_;
  NumberFile amperes_;
};

void add_rail(const Host& host, const Chip& chip, int channel, const KnownRail& rail,
              Found& found) {
  constexpr std::int64_t kMostOfEither = 1'000'000;  // a thousand volts or amperes: far above any
  const auto shared = std::make_shared<const Host>(host);
  const std::string number = std::to_string(channel);
  const std::string label(rail.label);
  auto volts = NumberFile::open(shared, chip.folder + "/in" + number + "_input");
  auto amperes = NumberFile::open(shared, chip.folder + "/curr" + number + "_input");
  if (!volts || !amperes) {
    found.pass_over(host, label, chip, (volts ? amperes : volts).error().message);
    return;
  }
  volts->set_limit(kMostOfEither);
  amperes->set_limit(kMostOfEither);
  for (NumberFile* file : {&*volts, &*amperes}) {
    if (const auto value = first_reading(*file); !value) {
      found.pass_over(host, label, chip, file->path() + ": " + std::string(why_not(value.error())));
      return;
    }
  }
  SensorInfo info;
  info.domain = {rail.kind, 0, 0, label};
  info.quantity = Quantity::power;
  info.source =
      host.resolve(chip.folder).string() + "/in" + number + "_input x curr" + number + "_input";
  info.plausible_power = Power::from_uw(200'000'000);
  info.update_period = std::chrono::milliseconds(10);
  found.others.findings.push_back(
      {Finding::Outcome::found, label + " (" + info.source + ")", {}, {}});
  found.others.probes.push_back(
      std::make_unique<RailProbe>(std::move(info), std::move(*volts), std::move(*amperes)));
}

}  // namespace

void add_rails(const Host& host, const Chip& chip, Found& found) {
  for (const int channel : channels(host, chip, "in", "_label")) {
    const std::string label = text_of(host, chip, "in" + std::to_string(channel) + "_label");
    const auto* known = std::find_if(kRails.begin(), kRails.end(),
                                     [&](const KnownRail& rail) { return rail.label == label; });
    if (known != kRails.end()) {
      add_rail(host, chip, channel, *known, found);
    } else if (label.starts_with("VDD") || label.starts_with("POM") || label.starts_with("VIN")) {
      found.pass_over(host, in_quotes(label), chip, "a supply of several parts together");
    }
  }
}

}  // namespace codecarbon::hwmon
