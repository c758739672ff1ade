#include "sensors/simulated/simulated_probe.hpp"

#include <algorithm>

namespace codecarbon::simulated {

SensorInfo SimulatedProbe::describe(Domain domain, Quantity quantity,
                                    const std::string& place) const {
  SensorInfo sensor;
  sensor.domain = std::move(domain);
  sensor.quantity = quantity;
  sensor.source = "machine file " + file_ + ": " + place;
  return sensor;
}

void SimulatedProbe::add(SensorInfo sensor, std::unique_ptr<Dial> dial) {
  sensors_.push_back(std::move(sensor));
  dials_.push_back(std::move(dial));
}

void SimulatedProbe::add(const DomainScript& script) {
  SensorInfo sensor = describe(script.domain, script.quantity, script.place);
  sensor.range = script.range;
  sensor.plausible_power = script.plausible_power;
  sensor.resolution = script.resolution;
  sensor.update_period = script.update_period;
  sensor.averaging = script.averaging;
  add(std::move(sensor), make_energy_dial(script));
}

void SimulatedProbe::add(const Gpu& gpu) {
  add(gpu.energy);
  const Domain& domain = gpu.energy.domain;
  if (gpu.utilization) {
    add(describe(domain, Quantity::utilization, gpu.energy.place + ".utilization_percent"),
        make_utilization_dial(*gpu.utilization, gpu.energy.faults));
  }
  if (gpu.memory) {
    SensorInfo sensor = describe(domain, Quantity::memory_used, gpu.energy.place + ".memory");
    sensor.memory_total = gpu.memory->total;
    add(std::move(sensor), make_memory_dial(gpu.memory->used, gpu.energy.faults));
  }
}

void SimulatedProbe::add(const Cpu& cpu) {
  if (!cpu.utilization) return;
  const std::string name = cpu.model.empty() ? "cpu" : cpu.model;
  add(describe({DomainKind::cpu, 0, 0, name}, Quantity::utilization, "cpu.utilization_percent"),
      make_utilization_dial(*cpu.utilization, {}));
}

void SimulatedProbe::add(const MemoryScript& ram) {
  SensorInfo sensor = describe({DomainKind::ram, 0, 0, "ram"}, Quantity::memory_used, "ram");
  sensor.memory_total = ram.total;
  add(std::move(sensor), make_memory_dial(ram.used, {}));
}

void SimulatedProbe::read(MonoTime tick, std::span<Reading> readings) {
  for (std::size_t i = 0; i < std::min(readings.size(), dials_.size()); ++i) {
    readings[i] = Reading{tick, dials_[i]->show(tick - epoch_)};
  }
}

}  // namespace codecarbon::simulated
