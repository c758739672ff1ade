#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "readings/process.hpp"
#include "readings/reading.hpp"
#include "readings/sensor.hpp"

namespace codecarbon {

/// Reads a group of sensors in one go. One thread at a time; `read` never throws, never blocks for
/// longer than the source takes, and does not allocate.
class Probe {
 public:
  virtual ~Probe() = default;
  /// Fixed for the life of the probe.
  virtual std::span<const SensorInfo> sensors() const = 0;
  /// Fills one reading per sensor, in the order of `sensors()`; `readings` has that size. All have
  /// the time of the sample, `tick`, which is now or a moment ago.
  virtual void read(MonoTime tick, std::span<Reading> readings) = 0;
  /// True for sources whose calls may hang for seconds (drivers of devices). They are read on a
  /// thread of their own, one call at a time, and nobody waits long for them.
  virtual bool may_hang() const { return false; }
  /// The processes that use the device of this sensor now, written to `users`; how many there are.
  /// Missing where the source does not say, or says more than there is room for. Called after
  /// `read`, on the same thread.
  virtual std::optional<std::size_t> users(std::size_t /*sensor*/,
                                           std::span<GpuProcess> /*users*/) {
    return std::nullopt;
  }
};

/// What a back-end says about one thing it looked for: for `doctor` and for the log.
struct Finding {
  enum class Outcome { found, absent, denied, unsupported };
  Outcome outcome = Outcome::absent;
  std::string subject;  ///< "package-0 (/sys/class/powercap/intel-rapl:0/energy_uj)"
  std::string reason;   ///< why not; empty when found
  std::string remedy;   ///< what a person can do about it; may be empty
};

/// What a machine says of itself, as far as rows show it.
struct MachineDescription {
  int cpu_count = 0;
  std::string cpu_model;                  ///< empty when the script does not say
  std::optional<std::int64_t> ram_bytes;  ///< installed memory
};

/// Everything a back-end could open, and the reasons for what it could not.
struct Discovery {
  std::vector<std::unique_ptr<Probe>> probes;
  std::vector<Finding> findings;
  /// A back-end that plays a machine plays it whole: then the real one is not to be looked at.
  std::optional<MachineDescription> played{};
  /// Who used the processors and the memory; empty unless it was asked for and can be had.
  std::unique_ptr<ProcessSource> processes{};
};

/// Which processes are told apart from the others on the machine.
enum class TrackedProcesses {
  self,      ///< this one and all that it starts, and what those start
  children,  ///< the same without this one
};

/// What the user decides about sensors. The defaults are those of the options of the same names.
struct SensorSettings {
  bool force_cpu_load = false;            ///< use the utilisation model even if there are counters
  std::optional<Power> forced_cpu_power;  ///< all processors together
  std::optional<Power> forced_ram_power;
  std::string machine_file;                     ///< simulated machine; empty for the real one
  std::optional<TrackedProcesses> processes{};  ///< empty: nobody asks whose the energy is
};

}  // namespace codecarbon
