#pragma once
/// \file
/// For tests only: what a back-end's energy sensors count, as the engine counts it.

#include <deque>
#include <optional>
#include <variant>
#include <vector>

#include "readings/counter.hpp"
#include "readings/ledger.hpp"
#include "readings/power_integrator.hpp"
#include "readings/probe.hpp"

namespace codecarbon::testing_support {

/// Reads every energy or power sensor of a discovery and keeps an account of each.
class Metered {
 public:
  /// `discovery` must outlive it.
  explicit Metered(const Discovery& discovery) {
    for (const auto& probe : discovery.probes) add(*probe);
  }

  void sample(MonoTime tick) {
    for (Meter& meter : meters_) meter.sample(tick);
  }
  /// Of the GPU, package, ... that the sensor with this number in order of discovery is about.
  const Account& account(std::size_t sensor) const { return meters_.at(sensor).account; }
  const SensorInfo& info(std::size_t sensor) const { return *meters_.at(sensor).info; }
  std::size_t size() const { return meters_.size(); }

 private:
  struct Meter {
    Probe* probe;
    const SensorInfo* info;
    std::size_t place;
    std::variant<Counter, PowerIntegrator> engine;
    Account account{};

    Reading read(MonoTime tick) const {
      std::vector<Reading> readings(probe->sensors().size());
      probe->read(tick, readings);
      return readings[place];
    }
    void sample(MonoTime tick) {
      Reading reading = read(tick);
      std::visit(
          [&](auto& state) {
            if (state.suspicious(reading)) reading = read(tick);
            if (const auto interval = state.advance(reading)) note(*interval);
          },
          engine);
    }
    void note(const Interval& interval) {
      account.energy += interval.energy;
      account.bound += interval.bound;
      if (interval.gap) account.add(*interval.gap);
    }
  };

  void add(Probe& probe) {
    for (std::size_t i = 0; i < probe.sensors().size(); ++i) {
      const SensorInfo& info = probe.sensors()[i];
      if (info.quantity == Quantity::energy) meters_.push_back({&probe, &info, i, Counter(info)});
      if (info.quantity == Quantity::power) {
        meters_.push_back({&probe, &info, i, PowerIntegrator(info)});
      }
    }
  }

  std::deque<Meter> meters_;
};

}  // namespace codecarbon::testing_support
