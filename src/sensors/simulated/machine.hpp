#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codecarbon/units.hpp"
#include "readings/sensor.hpp"
#include "sensors/simulated/profile.hpp"

namespace codecarbon::simulated {

/// How a sensor goes wrong. What the machine really uses is never touched by it.
enum class FaultKind {
  empty,       ///< the answer is empty
  garbage,     ///< the answer is not a number
  unreadable,  ///< the answer is refused
  zero,        ///< the answer is 0
  disappear,   ///< the device is not there
  freeze,      ///< the number stands still; afterwards it has counted everything
  stuck,       ///< the counter does not count; that energy never shows
  reset,       ///< the counter starts again from 0
  glitch,      ///< one answer is off; the next is right
};

/// Active in [from, to). A reset or a glitch happens at `from`.
struct Fault {
  FaultKind kind = FaultKind::empty;
  Duration from{};
  Duration to = Duration::max();
  std::int64_t offset = 0;  ///< of a glitch, in the sensor's quantity
};

/// One thing that uses energy, and the sensor that shows it.
struct DomainScript {
  Domain domain;
  std::string place;                     ///< where in the file: "sockets[0].package"
  Profile power;                         ///< microwatts
  Quantity quantity = Quantity::energy;  ///< energy (counter) or power (gauge)
  std::vector<Fault> faults;             ///< by ascending `from`; none overlaps one of its kind
  Power plausible_power;
  Duration update_period{};  ///< the shown number changes at multiples of this; 0: always true
  // Of a counter.
  Energy start;  ///< shown at time zero
  std::optional<Energy> range;
  Energy resolution = Energy::from_uj(1);
  // Of a gauge.
  Duration averaging{};  ///< shows the mean over this stretch; 0: the power of the moment
};

struct MemoryScript {
  std::int64_t total = 0;  ///< bytes
  Profile used;            ///< bytes
};

struct Cpu {
  std::string model;
  int count = 0;                       ///< logical processors; 0 if the file does not say
  std::optional<Profile> utilization;  ///< millionths
};

struct Socket {
  std::vector<DomainScript> domains;  ///< the package first
};

struct Gpu {
  DomainScript energy;
  std::optional<Profile> utilization;  ///< millionths
  std::optional<MemoryScript> memory;
};

/// A scripted machine: plain values, checked by whoever made them.
struct Machine {
  std::string name;  ///< for a person: the file it came from
  Cpu cpu;
  std::optional<MemoryScript> ram;
  std::optional<DomainScript> psys;
  std::optional<DomainScript> node;  ///< the meter of the whole machine
  std::vector<Socket> sockets;
  std::vector<Gpu> gpus;
};

}  // namespace codecarbon::simulated
