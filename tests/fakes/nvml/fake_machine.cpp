#include "fake_machine.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sensors/simulated/machine_file.hpp"

namespace fake_nvml {
namespace {

codecarbon::MonoTime real_time() {
  return codecarbon::SystemClock().now();
}

nlohmann::json read_facts_file(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return stream ? nlohmann::json::parse(stream) : nlohmann::json::object();
}

}  // namespace

FakeMachine::FakeMachine(const std::filesystem::path& folder) : loaded_(real_time()) {
  const auto facts = read_facts_file(folder / "fake.json");
  init_answer = static_cast<nvmlReturn_t>(facts.value("init", 0));
  driver_version = facts.value("driver_version", driver_version);
  const auto machine = codecarbon::simulated::load_machine(folder / "machine.json");
  if (!machine) return;  // a machine without GPUs
  const auto gpus = facts.value("gpus", nlohmann::json::array());
  for (const auto& script : machine->gpus) {
    const std::size_t index = gpus_.size();
    const auto gpu = index < gpus.size() ? gpus[index] : nlohmann::json::object();
    gpus_.emplace_back(script, read_facts(gpu, static_cast<unsigned int>(index)));
  }
}

Duration FakeMachine::now() const {
  return time_ ? *time_ : real_time() - loaded_;
}

nvmlDevice_t FakeMachine::handle(unsigned int gpu, const std::string& uuid) {
  for (nvmlDevice_st& one : handles_) {
    if (one.uuid == uuid && !one.stale) return &one;
  }
  return &handles_.emplace_back(nvmlDevice_st{&gpus_[gpu], gpu, uuid, false});
}

bool FakeMachine::knows(nvmlDevice_t handle) const {
  return std::any_of(handles_.begin(), handles_.end(),
                     [&](const nvmlDevice_st& one) { return &one == handle; });
}

void Hanger::set(unsigned int gpu, bool hangs) {
  const std::lock_guard lock(mutex_);
  if (hangs) {
    hanging_.insert(gpu);
  } else {
    hanging_.erase(gpu);
  }
  changed_.notify_all();
}

void Hanger::pass(unsigned int gpu) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !hanging_.contains(gpu); });
}

}  // namespace fake_nvml
