#include "fake_gpus.hpp"

#include <dlfcn.h>

#include <filesystem>

#include "sensors/simulated/simulated_machine.hpp"

namespace fake_amd {
namespace {

using codecarbon::DomainKind;
using codecarbon::Quantity;
namespace simulated = codecarbon::simulated;

std::filesystem::path machine_file() {
  Dl_info info{};
  ::dladdr(reinterpret_cast<const void*>(&fake_amd_set_time_ns), &info);
  return std::filesystem::path(info.dli_fname).parent_path() / "machine.json";
}

}  // namespace

FakeGpus& FakeGpus::instance() {
  static FakeGpus gpus;
  return gpus;
}

bool FakeGpus::start() {
  const auto machine = simulated::SimulatedMachine::load(machine_file());
  if (!machine || refusal != 0) return false;
  ++users;
  if (!probes_.empty()) return true;
  for (auto& probe : machine->probes({})) {
    const auto sensors = probe->sensors();
    const bool gpu = !sensors.empty() && sensors[0].domain.kind == DomainKind::gpu;
    if (gpu) probes_.push_back(std::move(probe));
  }
  return true;
}

Shown FakeGpus::show(std::size_t index, Quantity quantity) const {
  if (index >= size()) return {kInvalid, 0};
  codecarbon::Probe& probe = *probes_[index];
  std::vector<codecarbon::Reading> readings(probe.sensors().size());
  probe.read(now, readings);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (probe.sensors()[i].quantity != quantity) continue;
    if (!readings[i].value) return {kFailed, 0};
    return {0, static_cast<std::uint64_t>(*readings[i].value)};
  }
  return {kNotSupported, 0};
}

/// As the firmware counts: whole steps of 2^-16 J.
Shown FakeGpus::energy_counts(std::size_t index) const {
  Shown shown = show(index, Quantity::energy);
  __extension__ using Wide = unsigned __int128;
  shown.value = static_cast<std::uint64_t>(Wide{shown.value} * 1024 / 15'625);
  return shown;
}

Shown FakeGpus::memory_total(std::size_t index) const {
  if (index >= size()) return {kInvalid, 0};
  for (const auto& sensor : probes_[index]->sensors()) {
    if (sensor.memory_total > 0) return {0, static_cast<std::uint64_t>(sensor.memory_total)};
  }
  return {kNotSupported, 0};
}

std::uint64_t FakeGpus::pci_id(std::size_t index) {
  // As on a node of four MI250: two dies a card, two cards a bridge.
  constexpr std::uint64_t kBuses[] = {0x29, 0x2c, 0x2f, 0x32, 0xad, 0xb0, 0xb3, 0xb6};
  return kBuses[index % std::size(kBuses)] << 8U;
}

}  // namespace fake_amd

void fake_amd_set_time_ns(long long time_ns) {
  fake_amd::FakeGpus::instance().now = codecarbon::MonoTime(codecarbon::Duration(time_ns));
}
void fake_amd_refuse(std::uint32_t status) {
  fake_amd::FakeGpus::instance().refusal = status;
}
int fake_amd_users() {
  return fake_amd::FakeGpus::instance().users;
}
