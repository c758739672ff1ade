#include "sensors/modelled/cpu_load_probe.hpp"

#include <cmath>
#include <utility>

namespace codecarbon::modelled {
namespace {

constexpr double kLoadNobodyKnows = 0.5;

double since_boot(CpuTimes times) {
  if (times.total <= 0) return kLoadNobodyKnows;
  return static_cast<double>(times.busy) / static_cast<double>(times.total);
}

}  // namespace

CpuLoadProbe::CpuLoadProbe(std::unique_ptr<CpuTimesSource> times, CpuTimes first, SensorInfo load,
                           MonoTime now)
    : times_(std::move(times)),
      first_(first),
      meter_(first),
      looked_(now),
      sensors_{std::move(load)} {}

void CpuLoadProbe::add_energy(SensorInfo energy, PowerCurve curve, ClockGauge clock) {
  sensors_.insert(sensors_.begin(), std::move(energy));
  energy_.emplace(curve, since_boot(first_), looked_);
  clock_ = std::move(clock);
}

void CpuLoadProbe::look(MonoTime now) {
  if (!fault_ && now - looked_ < kLoadWindow) return;
  looked_ = now;
  const auto times = times_->read(now);
  if (!times) {
    fault_ = times.error();
    return;
  }
  fault_.reset();
  const auto load = meter_.advance(*times);
  if (!load) return;
  load_ = load;
  if (energy_) energy_->settle(*load, clock_.of_base(), now);
}

tl::expected<std::int64_t, ReadFault> CpuLoadProbe::load_reading() const {
  if (!load_) return tl::unexpected(ReadFault::empty);
  return std::llround(*load_ * 1e6);
}

void CpuLoadProbe::read(MonoTime tick, std::span<Reading> readings) {
  look(tick);
  for (Reading& reading : readings) reading.at = tick;
  if (fault_) {
    for (Reading& reading : readings) reading.value = tl::unexpected(*fault_);
    return;
  }
  if (energy_) readings.front().value = energy_->total_uj(tick);
  readings.back().value = load_reading();
}

}  // namespace codecarbon::modelled
