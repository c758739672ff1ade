#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "readings/probe.hpp"
#include "sensors/files/cpu_times_source.hpp"
#include "sensors/modelled/clock_gauge.hpp"
#include "sensors/modelled/cpu_load.hpp"
#include "sensors/modelled/load_energy.hpp"

namespace codecarbon::modelled {

/// The kernel counts processor time in ticks of 10 ms, so a load is taken over at least ten of
/// them; readings in between use the last one and cost no file access.
inline constexpr Duration kLoadWindow = std::chrono::milliseconds(100);

/// Load of the processors that this process may use and, if wanted, the energy that the model makes
/// of it. Until the first window has passed the load is missing, and the energy uses the mean since
/// boot, or a half where that is not known.
class CpuLoadProbe final : public Probe {
 public:
  /// `times` showed `first` at `now`. With `energy` (described by it), of processors of that
  /// `curve` and that `clock`, the first sensor is the energy; the usage sensor `load` follows.
  CpuLoadProbe(std::unique_ptr<CpuTimesSource> times, CpuTimes first, SensorInfo load,
               MonoTime now);
  void add_energy(SensorInfo energy, PowerCurve curve, ClockGauge clock);

  std::span<const SensorInfo> sensors() const override { return sensors_; }
  void read(MonoTime tick, std::span<Reading> readings) override;

 private:
  void look(MonoTime now);
  tl::expected<std::int64_t, ReadFault> load_reading() const;

  std::unique_ptr<CpuTimesSource> times_;
  CpuTimes first_;
  LoadMeter meter_;
  MonoTime looked_;
  std::vector<SensorInfo> sensors_;  // the load last
  std::optional<LoadEnergy> energy_;
  ClockGauge clock_;
  std::optional<double> load_;
  std::optional<ReadFault> fault_;
};

}  // namespace codecarbon::modelled
