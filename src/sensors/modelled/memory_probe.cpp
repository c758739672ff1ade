#include "sensors/modelled/memory_probe.hpp"

#include <array>
#include <utility>

#include "host/machine_facts.hpp"

namespace codecarbon::modelled {
namespace {

constexpr Duration kLookEvery = std::chrono::milliseconds(100);

std::optional<std::int64_t> memory_available(std::string_view meminfo) {
  if (const auto available = meminfo_bytes(meminfo, "MemAvailable:")) return available;
  // Kernels before 3.14 leave it to their users.
  const auto free = meminfo_bytes(meminfo, "MemFree:");
  if (!free) return std::nullopt;
  return *free + meminfo_bytes(meminfo, "Buffers:").value_or(0) +
         meminfo_bytes(meminfo, "Cached:").value_or(0);
}

}  // namespace

std::optional<std::int64_t> memory_used(std::string_view meminfo) {
  const auto total = meminfo_bytes(meminfo, "MemTotal:");
  const auto available = memory_available(meminfo);
  if (!total || !available || *available > *total) return std::nullopt;
  return *total - *available;
}

MemoryProbe::MemoryProbe(KeptFile meminfo, SensorInfo info)
    : meminfo_(std::move(meminfo)), info_(std::move(info)) {}

tl::expected<std::int64_t, ReadFault> MemoryProbe::look() const {
  std::array<char, 512> buffer;
  const auto text = meminfo_.read(buffer);
  if (!text) return tl::unexpected(ReadFault::unreadable);
  if (text->empty()) return tl::unexpected(ReadFault::empty);
  const auto used = memory_used(*text);
  if (!used) return tl::unexpected(ReadFault::garbage);
  return *used;
}

void MemoryProbe::read(MonoTime tick, std::span<Reading> readings) {
  if (!last_ || !last_->value || tick - last_->at >= kLookEvery) last_ = Reading{tick, look()};
  readings[0] = {tick, last_->value};
}

}  // namespace codecarbon::modelled
