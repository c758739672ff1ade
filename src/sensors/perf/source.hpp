#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/host.hpp"
#include "readings/probe.hpp"
#include "sensors/perf/scale.hpp"

namespace codecarbon::perf {

inline constexpr std::string_view kSource = "sys/bus/event_source/devices/power";

/// One energy event that the `power` event source offers.
struct EnergyEvent {
  std::string name;  ///< "energy-pkg"
  DomainKind kind = DomainKind::package;
  std::uint64_t config = 0;
  Scale scale;
};

/// A processor on which the events of a socket, or of a die of it, are counted.
struct Place {
  int processor = 0;
  int socket = 0;
  int die = 0;
  bool one_of_many = false;  ///< the socket has more places than this one
};

/// The code of an event as its file gives it: "event=0x02". Missing for any other form.
std::optional<std::uint64_t> parse_event(std::string_view text);

/// The event source's number; missing when it is not there or has none.
std::optional<std::uint32_t> source_type(const Host& host);

/// The events whose code, unit and scale can be used; reasons for others go to `findings`.
std::vector<EnergyEvent> energy_events(const Host& host, std::vector<Finding>& findings);

/// Where to count, each counter once: AMD counts by the package, whatever dies some kernels
/// (6.9 to 6.12) show it under. In the order of the processors.
std::vector<Place> places(const Host& host);

}  // namespace codecarbon::perf
