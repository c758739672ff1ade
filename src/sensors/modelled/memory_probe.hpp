#pragma once

#include <memory>
#include <optional>
#include <span>

#include "readings/probe.hpp"
#include "sensors/files/memory_use.hpp"

namespace codecarbon::modelled {

/// A gauge of memory in use. Looks at most every 100 ms: the kernel takes its time to add it up.
class MemoryProbe final : public Probe {
 public:
  MemoryProbe(std::unique_ptr<MemorySource> memory, SensorInfo info);
  std::span<const SensorInfo> sensors() const override { return {&info_, 1}; }
  void read(MonoTime tick, std::span<Reading> readings) override;

 private:
  std::unique_ptr<MemorySource> memory_;
  SensorInfo info_;
  std::optional<Reading> last_;
};

}  // namespace codecarbon::modelled
