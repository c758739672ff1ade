#include "sensors/modelled/memory_probe.hpp"

#include <utility>

namespace codecarbon::modelled {
namespace {

constexpr Duration kLookEvery = std::chrono::milliseconds(100);

}  // namespace

MemoryProbe::MemoryProbe(std::unique_ptr<MemorySource> memory, SensorInfo info)
    : memory_(std::move(memory)), info_(std::move(info)) {}

void MemoryProbe::read(MonoTime tick, std::span<Reading> readings) {
  if (!last_ || !last_->value || tick - last_->at >= kLookEvery) {
    last_ = Reading{tick, memory_->read()};
  }
  readings[0] = {tick, last_->value};
}

}  // namespace codecarbon::modelled
