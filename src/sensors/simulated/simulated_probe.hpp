#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codecarbon/clock.hpp"
#include "readings/probe.hpp"
#include "sensors/simulated/dial.hpp"

namespace codecarbon::simulated {

/// A group of scripted sensors. Everything is copied in, so it
/// needs no machine to live on.
class SimulatedProbe final : public Probe {
 public:
  /// `epoch` is machine time zero.
  SimulatedProbe(std::string file, MonoTime epoch) : file_(std::move(file)), epoch_(epoch) {}

  /// Only before the first read.
  void add(const DomainScript& script);
  void add(const Gpu& gpu);
  void add(const Cpu& cpu);
  void add(const MemoryScript& ram);

  std::span<const SensorInfo> sensors() const override { return sensors_; }
  void read(MonoTime tick, std::span<Reading> readings) override;

 private:
  SensorInfo describe(Domain domain, Quantity quantity, const std::string& place) const;
  void add(SensorInfo sensor, std::unique_ptr<Dial> dial);

  std::string file_;
  MonoTime epoch_;
  std::vector<SensorInfo> sensors_;
  std::vector<std::unique_ptr<Dial>> dials_;
};

}  // namespace codecarbon::simulated
