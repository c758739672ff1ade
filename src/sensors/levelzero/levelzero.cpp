#include "sensors/levelzero/levelzero.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "sensors/levelzero/sysman.hpp"
#include "sensors/levelzero/uncounted_cards.hpp"

namespace codecarbon::levelzero {
namespace {

class CardProbe final : public Probe {
 public:
  CardProbe(SensorInfo sensor, Meter meter)
      : sensor_(std::move(sensor)), meter_(std::move(meter)) {}

  std::span<const SensorInfo> sensors() const override { return {&sensor_, 1}; }
  void read(MonoTime tick, std::span<Reading> readings) override { readings[0] = {tick, value()}; }
  bool may_hang() const override { return true; }

 private:
  tl::expected<std::int64_t, ReadFault> value() const {
    const auto energy_uj = meter_.energy_uj();
    if (!energy_uj) return tl::unexpected(ReadFault::unreadable);
    if (*energy_uj > INT64_MAX) return tl::unexpected(ReadFault::garbage);
    return static_cast<std::int64_t>(*energy_uj);
  }

  SensorInfo sensor_;
  Meter meter_;
};

SensorInfo describe(const Meter& meter, int index) {
  SensorInfo info;
  info.domain = {DomainKind::gpu, index, 0, "Intel GPU " + std::to_string(index), Vendor::intel};
  info.domain.bus_id = meter.bus_id;
  info.source = meter.library.name() + " of " + meter.bus_id;
  return info;
}

void add_card(Meter meter, int index, Discovery& discovery) {
  SensorInfo sensor = describe(meter, index);
  Finding finding{Finding::Outcome::found, sensor.domain.name + " (" + sensor.source + ")", {}, {}};
  if (!meter.energy_uj()) {
    finding.outcome = Finding::Outcome::denied;
    finding.reason = "its driver does not answer now";
    finding.remedy = "it is asked again at every sample, and what it used until then is a gap";
  }
  discovery.findings.push_back(std::move(finding));
  discovery.probes.push_back(std::make_unique<CardProbe>(std::move(sensor), std::move(meter)));
}

Finding explain(const Error& error) {
  const bool absent = error.kind == ErrorKind::missing_file;
  return {absent ? Finding::Outcome::absent : Finding::Outcome::unsupported, "Level Zero",
          error.message,
          "a kernel from 6.2 on shows the energy of Intel's cards without any library"};
}

}  // namespace

Discovery discover(const Host& host, const SensorSettings&) {
  Discovery discovery;
  const auto cards = uncounted_cards(host);
  if (cards.empty()) {
    discovery.findings.push_back({Finding::Outcome::absent,
                                  "Level Zero",
                                  "there is no card of Intel's that the kernel does not count",
                                  {}});
    return discovery;
  }
  auto meters = open_meters(host);
  if (!meters) {
    discovery.findings.push_back(explain(meters.error()));
    return discovery;
  }
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const auto meter = std::find_if(meters->begin(), meters->end(),
                                    [&](const Meter& one) { return one.bus_id == cards[i]; });
    if (meter == meters->end()) {
      discovery.findings.push_back(
          {Finding::Outcome::unsupported, cards[i], "Level Zero shows no energy of it", {}});
    } else {
      add_card(std::move(*meter), static_cast<int>(i), discovery);
    }
  }
  return discovery;
}

}  // namespace codecarbon::levelzero
