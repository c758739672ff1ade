#pragma once

#include <nvml.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sensors/simulated/dial.hpp"
#include "sensors/simulated/machine.hpp"

namespace fake_nvml {

using codecarbon::Duration;

struct Process {
  unsigned int pid = 0;
  unsigned long long memory = 0;  // bytes
  unsigned int sm = 0;            // percent
  bool graphics = false;
};

/// What a machine file does not say of a GPU: one object of "gpus" in fake.json.
struct GpuFacts {
  std::string uuid;
  unsigned int bus = 0;
  unsigned int pci_device = 0x2330;  // an H100
  unsigned int architecture = NVML_DEVICE_ARCH_HOPPER;
  unsigned int limit_w = 700;
  bool virtual_gpu = false;
  std::vector<std::string> instances;  // UUIDs; MIG is on if there are any
  // By function: it answers with nothing else. Looked up without allocating.
  std::map<std::string, nvmlReturn_t, std::less<>> answers;
  std::vector<Process> processes;
};

GpuFacts read_facts(const nlohmann::json& gpu, unsigned int index);

/// A GPU of a machine file in NVML's units. Not thread-safe.
class FakeGpu {
 public:
  FakeGpu(const codecarbon::simulated::Gpu& script, GpuFacts facts);

  const std::string& name() const { return script_.energy.domain.name; }
  const GpuFacts& facts() const { return facts_; }

  bool lost(Duration t) const;
  nvmlReturn_t energy_mj(Duration t, unsigned long long& value);
  nvmlReturn_t power_mw(Duration t, unsigned int& value);
  nvmlReturn_t utilization(Duration t, nvmlUtilization_t& value);
  nvmlReturn_t memory(Duration t, nvmlMemory_t& value);

 private:
  codecarbon::simulated::Gpu script_;
  GpuFacts facts_;
  std::unique_ptr<codecarbon::simulated::Dial> energy_;
  std::unique_ptr<codecarbon::simulated::Dial> utilization_;
  std::unique_ptr<codecarbon::simulated::Dial> memory_;
};

}  // namespace fake_nvml
