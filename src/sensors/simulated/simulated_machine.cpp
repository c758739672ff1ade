#include "sensors/simulated/simulated_machine.hpp"

#include <algorithm>
#include <limits>

#include "sensors/simulated/machine_file.hpp"
#include "sensors/simulated/simulated_probe.hpp"

namespace codecarbon::simulated {
namespace {

Energy energy_between(const Profile& power, Duration from, Duration to) {
  const Wide energy_uj = energy_uj_until(power, to) - energy_uj_until(power, from);
  constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
  return Energy::from_uj(static_cast<std::int64_t>(std::clamp(energy_uj, -kMost, kMost)));
}

std::optional<Component> component_of(DomainKind kind) {
  switch (kind) {
    case DomainKind::package:
      return Component::cpu;
    case DomainKind::dram:
      return Component::ram;
    case DomainKind::gpu:
      return Component::gpu;
    case DomainKind::psys:
    case DomainKind::core:
    case DomainKind::uncore:
    case DomainKind::cpu:
    case DomainKind::ram:
    case DomainKind::node:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

Result<SimulatedMachine> SimulatedMachine::load(const std::filesystem::path& file) {
  return load_machine(file).map([](Machine&& m) { return SimulatedMachine(std::move(m)); });
}

Result<SimulatedMachine> SimulatedMachine::parse(std::string_view json, std::string name) {
  return parse_machine(json, std::move(name)).map([](Machine&& m) {
    return SimulatedMachine(std::move(m));
  });
}

std::vector<const DomainScript*> SimulatedMachine::domains() const {
  std::vector<const DomainScript*> all;
  for (const Socket& socket : machine_.sockets) {
    for (const DomainScript& script : socket.domains) all.push_back(&script);
  }
  for (const Gpu& gpu : machine_.gpus) all.push_back(&gpu.energy);
  if (machine_.psys) all.push_back(&*machine_.psys);
  if (machine_.node) all.push_back(&*machine_.node);
  return all;
}

std::optional<Energy> SimulatedMachine::true_energy(const Domain& domain, Duration from,
                                                    Duration to) const {
  for (const DomainScript* script : domains()) {
    if (script->domain.same_place(domain)) return energy_between(script->power, from, to);
  }
  return std::nullopt;
}

Energy SimulatedMachine::true_component(Component component, Duration from, Duration to) const {
  Energy total;
  for (const DomainScript* script : domains()) {
    if (component_of(script->domain.kind) == component) {
      total += energy_between(script->power, from, to);
    }
  }
  return total;
}

Energy SimulatedMachine::true_total(Duration from, Duration to) const {
  return true_component(Component::cpu, from, to) + true_component(Component::ram, from, to) +
         true_component(Component::gpu, from, to);
}

std::vector<std::unique_ptr<Probe>> SimulatedMachine::probes(MonoTime epoch) const {
  std::vector<std::unique_ptr<Probe>> probes;
  for (const Socket& socket : machine_.sockets) {
    auto probe = std::make_unique<SimulatedProbe>(machine_.name, epoch);
    for (const DomainScript& script : socket.domains) probe->add(script);
    probes.push_back(std::move(probe));
  }
  for (const Gpu& gpu : machine_.gpus) {
    auto probe = std::make_unique<SimulatedProbe>(machine_.name, epoch);
    probe->add(gpu);
    probes.push_back(std::move(probe));
  }
  auto rest = std::make_unique<SimulatedProbe>(machine_.name, epoch);
  if (machine_.psys) rest->add(*machine_.psys);
  if (machine_.node) rest->add(*machine_.node);
  rest->add(machine_.cpu);
  if (machine_.ram) rest->add(*machine_.ram);
  if (!rest->sensors().empty()) probes.push_back(std::move(rest));
  return probes;
}

}  // namespace codecarbon::simulated
