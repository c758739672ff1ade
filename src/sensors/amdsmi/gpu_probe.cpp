#include "sensors/amdsmi/gpu_probe.hpp"

#include <utility>

namespace codecarbon::amdsmi {
namespace {

constexpr std::uint32_t kWhole = 100;         // percent
constexpr std::int64_t kMillionths = 10'000;  // in a percent

}  // namespace

GpuProbe::GpuProbe(std::unique_ptr<const Gpu> gpu, std::vector<SensorInfo> sensors,
                   std::optional<KfdUsers> users)
    : gpu_(std::move(gpu)), sensors_(std::move(sensors)), users_(std::move(users)) {}

void GpuProbe::read(MonoTime tick, std::span<Reading> readings) {
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    readings[i] = {tick, read(sensors_[i].quantity)};
  }
}

GpuProbe::Value GpuProbe::read(Quantity quantity) {
  switch (quantity) {
    case Quantity::energy:
      return energy();
    case Quantity::utilization:
      return utilization();
    case Quantity::memory_used:
      return memory_used();
    case Quantity::power:
      break;
  }
  return tl::unexpected(ReadFault::unreadable);
}

GpuProbe::Value GpuProbe::energy() {
  const auto count = gpu_->energy();
  if (!count) return tl::unexpected(ReadFault::unreadable);
  if (!scale_) scale_ = CountScale::of(count->resolution_uj);
  if (!scale_) return tl::unexpected(ReadFault::garbage);
  const auto energy_uj = scale_->microjoules(count->counts);
  if (!energy_uj) return tl::unexpected(ReadFault::garbage);
  return *energy_uj;
}

GpuProbe::Value GpuProbe::utilization() const {
  const auto percent = gpu_->busy_percent();
  if (!percent) return tl::unexpected(ReadFault::unreadable);
  if (*percent > kWhole) return tl::unexpected(ReadFault::garbage);
  return *percent * kMillionths;
}

GpuProbe::Value GpuProbe::memory_used() const {
  const auto bytes = gpu_->memory_used();
  if (!bytes) return tl::unexpected(ReadFault::unreadable);
  if (*bytes > INT64_MAX) return tl::unexpected(ReadFault::garbage);
  return static_cast<std::int64_t>(*bytes);
}

std::optional<std::size_t> GpuProbe::users(std::size_t, std::span<GpuProcess> users) {
  const auto count = users_ ? users_->list(users) : std::nullopt;
  // The list is of those that compute. A GPU that works for nobody of them draws for somebody.
  if (count == std::size_t{0} && gpu_->busy_percent().value_or(1) > 0) return std::nullopt;
  return count;
}

}  // namespace codecarbon::amdsmi
