#pragma once

#include <optional>
#include <vector>

#include "readings/probe.hpp"
#include "sensors/files/number_file.hpp"

namespace codecarbon::battery {

/// The files of one battery of the machine.
struct Battery {
  NumberFile status;
  NumberFile power;                 ///< microwatts, or microamperes if there is a voltage
  std::optional<NumberFile> volts;  ///< microvolts
};

/// The power that all batteries together give, which on battery is that of the whole machine. There
/// is a reading only while they give any and nothing else feeds the machine.
class BatteryProbe final : public Probe {
 public:
  /// `online` are files of other supplies that hold 1 while they feed the machine.
  BatteryProbe(SensorInfo sensor, std::vector<Battery> batteries, std::vector<NumberFile> online)
      : sensor_(std::move(sensor)), batteries_(std::move(batteries)), online_(std::move(online)) {}
  std::span<const SensorInfo> sensors() const override { return {&sensor_, 1}; }
  void read(MonoTime tick, std::span<Reading> readings) override { readings[0] = {tick, power()}; }

  /// Microwatts, or why there is no reading now.
  tl::expected<std::int64_t, ReadFault> power();

 private:
  bool is_fed();

  SensorInfo sensor_;
  std::vector<Battery> batteries_;
  std::vector<NumberFile> online_;
};

}  // namespace codecarbon::battery
