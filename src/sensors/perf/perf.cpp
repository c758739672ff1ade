#include "sensors/perf/perf.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include "sensors/perf/socket_probe.hpp"
#include "sensors/perf/source.hpp"

namespace codecarbon::perf {
namespace {

constexpr auto kMostOfSocket = Power::from_uw(2'000'000'000);  // also the whole platform
constexpr auto kMostOfPart = Power::from_uw(500'000'000);      // memory or graphics of one socket

// The coarsest unit in which processors count: 2^-14 J, whatever unit the kernel converts it to.
constexpr auto kResolution = Energy::from_uj(61);

std::string_view part_name(DomainKind kind) {
  return kind == DomainKind::package ? std::string_view() : to_string(kind);
}

std::string name_of(DomainKind kind, const Place& place) {
  if (kind == DomainKind::psys) return "psys";
  std::string name = "package-" + std::to_string(place.socket);
  if (place.one_of_many) name += "-die-" + std::to_string(place.die);
  if (kind != DomainKind::package) name += "/" + std::string(part_name(kind));
  return name;
}

SensorInfo describe(const EnergyEvent& event, const Place& place) {
  SensorInfo info;
  info.domain.kind = event.kind;
  info.domain.index = place.socket;
  info.domain.die = place.one_of_many ? place.die : 0;
  info.domain.name = name_of(event.kind, place);
  info.source =
      "power/" + event.name + "/ on processor " + std::to_string(place.processor) + " (perf)";
  const bool part = event.kind == DomainKind::dram || event.kind == DomainKind::uncore;
  info.plausible_power = part ? kMostOfPart : kMostOfSocket;
  info.resolution = kResolution;
  return info;
}

/// Opens the events of all places, and keeps the reasons for those that do not open.
class Opening {
 public:
  Opening(const Host& host, std::shared_ptr<const Kernel> kernel, std::uint32_t type)
      : host_(host), kernel_(std::move(kernel)), type_(type) {}

  void open(const Place& place, const std::vector<EnergyEvent>& events, Discovery& discovery) {
    std::vector<SocketProbe::Member> group;
    for (const EnergyEvent& event : events) {
      SensorInfo info = describe(event, place);
      const std::string subject = info.domain.name + " (" + info.source + ")";
      const int leader = group.empty() ? -1 : group.front().fd.get();
      auto fd = kernel_->open({type_, event.config, place.processor}, leader);
      if (!fd) {
        refuse(info.domain.name, subject, fd.error(), discovery);
        continue;
      }
      group.push_back({std::move(info), event.scale, std::move(*fd)});
      discovery.findings.push_back({Finding::Outcome::found, subject, {}, {}});
    }
    if (group.empty()) return;
    discovery.probes.push_back(std::make_unique<SocketProbe>(kernel_, std::move(group)));
  }

  void report(Discovery& discovery) const {
    if (denied_.empty()) return;
    discovery.findings.push_back(
        {Finding::Outcome::denied, denied_ + " (" + host_.resolve(kSource).string() + ")",
         "the kernel counts for the whole machine only for programs with CAP_PERFMON, or where "
         "kernel.perf_event_paranoid is 0 or less: fine readings of energy can leak secrets "
         "(CVE-2020-8694)",
         "give the one program the right: setcap cap_perfmon=ep PROGRAM (Linux 5.8 or later; of a "
         "script, its interpreter). If you trust all users of the machine with that: sysctl "
         "kernel.perf_event_paranoid=0, which lets everybody count events of the whole machine"});
  }

 private:
  void refuse(const std::string& name, const std::string& subject, int error,
              Discovery& discovery) {
    if (error == EACCES || error == EPERM) {
      denied_ += (denied_.empty() ? "" : ", ") + name;
      return;
    }
    discovery.findings.push_back(
        {Finding::Outcome::unsupported,
         subject,
         std::string("the kernel does not open it: ") + std::strerror(error),
         {}});
  }

  const Host& host_;
  std::shared_ptr<const Kernel> kernel_;
  std::uint32_t type_;
  std::string denied_;
};

Finding nothing(const Host& host, Finding::Outcome outcome, std::string reason) {
  return {outcome, host.resolve(kSource).string(), std::move(reason), {}};
}

}  // namespace

Discovery discover(const Host& host, const SensorSettings&) {
  if (host.root() == "/") return discover_with(host, running_kernel());
  Discovery discovery;
  discovery.findings.push_back(
      host.exists(kSource)
          ? nothing(host, Finding::Outcome::unsupported,
                    "these are the files of another machine, whose kernel cannot be asked")
          : nothing(host, Finding::Outcome::absent, "the kernel has no event source for energy"));
  return discovery;
}

Discovery discover_with(const Host& host, std::shared_ptr<const Kernel> kernel) {
  Discovery discovery;
  if (!host.exists(kSource)) {
    discovery.findings.push_back(
        nothing(host, Finding::Outcome::absent, "the kernel has no event source for energy"));
    return discovery;
  }
  const auto type = source_type(host);
  const auto events = energy_events(host, discovery.findings);
  const auto sockets = places(host);
  if (!type || events.empty() || sockets.empty()) {
    discovery.findings.push_back(
        nothing(host, Finding::Outcome::unsupported,
                !type ? "its type cannot be read"
                      : (events.empty() ? "it offers no energy event that can be used"
                                        : "it does not say on which processors it counts")));
    return discovery;
  }
  Opening opening(host, std::move(kernel), *type);
  for (const Place& place : sockets) opening.open(place, events, discovery);
  opening.report(discovery);
  return discovery;
}

}  // namespace codecarbon::perf
