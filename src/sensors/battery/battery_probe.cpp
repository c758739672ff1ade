#include "sensors/battery/battery_probe.hpp"

#include "sensors/battery/supply_text.hpp"

namespace codecarbon::battery {
namespace {

/// What one battery gives: nothing while it is idle.
tl::expected<std::int64_t, ReadFault> given_by(Battery& battery) {
  const auto status = battery.status.read();
  if (!status) return status;
  if (*status == static_cast<std::int64_t>(Status::idle)) return 0;
  if (*status == static_cast<std::int64_t>(Status::charging)) {
    return tl::unexpected(ReadFault::empty);
  }
  const auto power = battery.power.read();
  if (!power || !battery.volts) return power;
  const auto volts = battery.volts->read();
  return volts ? tl::expected<std::int64_t, ReadFault>(microwatts(*volts, *power)) : volts;
}

}  // namespace

bool BatteryProbe::is_fed() {
  for (NumberFile& supply : online_) {
    if (supply.read().value_or(0) != 0) return true;
  }
  return false;
}

tl::expected<std::int64_t, ReadFault> BatteryProbe::power() {
  if (is_fed()) return tl::unexpected(ReadFault::empty);
  std::int64_t sum = 0;
  for (Battery& battery : batteries_) {
    const auto power = given_by(battery);
    if (!power) return power;
    sum += *power;
  }
  if (sum == 0) return tl::unexpected(ReadFault::empty);
  return sum;
}

}  // namespace codecarbon::battery
