#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codecarbon/clock.hpp"
#include "codecarbon/method.hpp"
#include "codecarbon/units.hpp"

namespace codecarbon {

/// What joules (or a usage) belong to. `core` and `uncore` lie inside the package of the same
/// index, a package inside `psys`. `cpu` is all processors together and `ram` all memory, as models
/// and coarse meters see them; `dram` and `gpu` stand for themselves. `node` is the whole machine
/// at its supply, parts that no other sensor sees included.
enum class DomainKind { psys, package, core, uncore, dram, cpu, ram, gpu, node };

constexpr std::string_view to_string(DomainKind kind) {
  switch (kind) {
    case DomainKind::psys:
      return "psys";
    case DomainKind::package:
      return "package";
    case DomainKind::core:
      return "core";
    case DomainKind::uncore:
      return "uncore";
    case DomainKind::dram:
      return "dram";
    case DomainKind::cpu:
      return "cpu";
    case DomainKind::ram:
      return "ram";
    case DomainKind::gpu:
      return "gpu";
    case DomainKind::node:
      return "node";
  }
  return "unknown";
}

/// Whose visibility rules and numbering a device follows.
enum class Vendor { unknown, nvidia, amd, intel };

struct Domain {
  DomainKind kind = DomainKind::package;
  int index = 0;     ///< socket for processor domains; for GPUs the number among its vendor's
  int die = 0;       ///< die within the socket or the card
  std::string name;  ///< as its source calls it: "package-0", "NVIDIA H100"

  // Of devices.
  Vendor vendor = Vendor::unknown;
  std::string bus_id{};  ///< PCI address as the kernel writes it, "0000:17:00.0"; empty if unknown
  std::string uuid{};    ///< as the vendor writes it, "GPU-6a3f..."; empty if there is none
  /// UUIDs of the parts into which the device is divided (MIG), whose energy it includes.
  std::vector<std::string> instances{};
  /// The number, among its vendor's, of the device whose meter holds this one's energy too: the
  /// first die of a card. Missing: it has its own, or none.
  std::optional<int> metered_by{};

  /// Whether both mean the same piece of hardware. Back-ends may number devices differently, so
  /// where both know the address it decides.
  bool same_place(const Domain& other) const {
    if (kind != other.kind || die != other.die) return false;
    if (!bus_id.empty() && !other.bus_id.empty()) return bus_id == other.bus_id;
    return index == other.index && vendor == other.vendor;
  }
};

/// What the raw number of a reading means.
enum class Quantity {
  energy,       ///< counter, microjoules since some moment in the past
  power,        ///< gauge, microwatts
  utilization,  ///< gauge, millionths of the whole domain, mean since the probe's last reading
  memory_used,  ///< gauge, bytes
};

/// One readable quantity of a domain, and what its source promises about it.
struct SensorInfo {
  Domain domain;
  Quantity quantity = Quantity::energy;
  Method method = Method::measured;
  std::string source;  ///< for a person: the file, the vendor call or the model behind it

  /// A counter wraps to zero after this value. Missing: unknown, so no wrap can be resolved.
  std::optional<Energy> range;
  /// Its source adds up a register that goes round after this much, and only when it is read: what
  /// flows beyond it between two reads leaves no trace. Missing: it counts by itself.
  std::optional<Energy> unread_range{};
  /// More than this for longer than a moment is no reading but a fault.
  Power plausible_power = Power::from_uw(2'000'000'000);
  /// Smallest step of the counter.
  Energy resolution = Energy::from_uj(1);
  /// How long the source may keep showing the same number while energy flows.
  Duration update_period = std::chrono::milliseconds(1);
  /// It is there but has given no good reading yet.
  bool awaited = false;
  /// Of a power gauge: it shows the mean over this long. Zero: the power of the moment.
  Duration averaging{};
  /// For models: how far off the energy may be, as a fraction of it.
  double relative_bound = 0;
  /// The energy after which a turn may have gone unseen; missing where none can.
  std::optional<Energy> turn() const { return range ? range : unread_range; }
  /// It is about the part of the machine that this process may use (a container, a job), not about
  /// all of it.
  bool of_part = false;
  /// Memory that a `memory_used` sensor or a memory model is about, in bytes: what is installed, or
  /// as much of it as may be used. 0 when it is not known.
  std::int64_t memory_total = 0;
};

}  // namespace codecarbon
