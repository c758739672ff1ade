#include "sensors/rapl/rapl.hpp"

#include <algorithm>
#include <utility>

#include "sensors/rapl/explain.hpp"
#include "sensors/rapl/opening.hpp"
#include "sensors/rapl/rapl_probe.hpp"
#include "sensors/rapl/zones.hpp"

namespace codecarbon::rapl {
namespace {

// Far above what any part on sale can use and far below what a reset of a counter would mean.
constexpr auto kMostOfSocket = Power::from_uw(2'000'000'000);  // also the whole platform
constexpr auto kMostOfPart = Power::from_uw(500'000'000);      // memory or graphics of one socket

// The coarsest unit in which processors count: 2^-14 J.
constexpr auto kResolution = Energy::from_uj(61);

Power most_of(DomainKind kind) {
  const bool part = kind == DomainKind::dram || kind == DomainKind::uncore;
  return part ? kMostOfPart : kMostOfSocket;
}

/// One sensor in the making: a zone, and those of other dies that mirror it or may do so.
struct Group {
  Zone zone;
  std::optional<std::int64_t> range_uj;
  Channel channel;
  bool awaited;
  std::string joined_by;  // for a person

  explicit Group(OpenZone first)
      : zone(std::move(first.zone)),
        range_uj(first.range_uj),
        channel(std::move(first.file), first.range_uj),
        awaited(first.awaited) {}

  bool absorb(OpenZone& other, MonoTime now) {
    const Domain& mine = zone.domain;
    const Domain& its = other.zone.domain;
    const bool sibling = zone.control == other.zone.control && mine.kind == its.kind &&
                         mine.index == its.index && mine.die != its.die;
    if (!sibling || !channel.absorb(other.file, other.range_uj, now)) return false;
    const bool mirrors = !awaited && !other.awaited;
    joined_by += (mirrors ? ", mirrored by " : ", together with ") + its.name;
    // A mirror adds nothing; one that may have its own energy is named where that is counted.
    if (!mirrors) zone.domain.name += " + " + its.name;
    return true;
  }
};

std::vector<Group> group(std::vector<OpenZone> opened, const Clock& clock) {
  std::vector<Group> groups;
  for (OpenZone& one : opened) {
    const bool absorbed = std::any_of(groups.begin(), groups.end(),
                                      [&](Group& other) { return other.absorb(one, clock.now()); });
    if (!absorbed) groups.emplace_back(std::move(one));
  }
  return groups;
}

SensorInfo describe(const Host& host, const Group& group) {
  SensorInfo info;
  info.domain = group.zone.domain;
  info.quantity = Quantity::energy;
  info.method = Method::measured;
  info.source = host.resolve(group.zone.energy_path()).string() + group.joined_by;
  if (group.range_uj) info.range = Energy::from_uj(*group.range_uj);
  const auto dies = static_cast<std::int64_t>(group.channel.size());
  info.plausible_power = Power::from_uw(most_of(info.domain.kind).uw() * dies);
  info.resolution = kResolution;
  info.awaited = group.awaited;
  return info;
}

void add_probe(const Host& host, Group group, Discovery& discovery) {
  SensorInfo info = describe(host, group);
  if (!group.awaited) {
    discovery.findings.push_back(
        {Finding::Outcome::found, info.domain.name + " (" + info.source + ")", {}, {}});
  }
  discovery.probes.push_back(
      std::make_unique<RaplProbe>(std::move(info), std::move(group.channel)));
}

}  // namespace

Discovery discover(const Host& host, const SensorSettings&) {
  Discovery discovery;
  auto zones = find_zones(host, discovery.findings);
  if (zones.empty() && discovery.findings.empty()) {
    discovery.findings.push_back(explain_absence(host));
    return discovery;
  }
  Opening opening(std::make_shared<const Host>(host));
  for (Zone& zone : zones) opening.open(std::move(zone));
  for (Group& one : group(opening.take(), host.clock())) {
    add_probe(host, std::move(one), discovery);
  }
  opening.report(discovery.findings);
  return discovery;
}

}  // namespace codecarbon::rapl
