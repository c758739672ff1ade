#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "readings/probe.hpp"
#include "sensors/amdsmi/count_scale.hpp"
#include "sensors/amdsmi/gpu.hpp"
#include "sensors/files/kfd_users.hpp"

namespace codecarbon::amdsmi {

/// Reads one GPU. `users` are those of all GPUs whose energy its counter holds; missing where they
/// cannot be told.
class GpuProbe final : public Probe {
 public:
  GpuProbe(std::unique_ptr<const Gpu> gpu, std::vector<SensorInfo> sensors,
           std::optional<KfdUsers> users = std::nullopt);
  std::span<const SensorInfo> sensors() const override { return sensors_; }
  void read(MonoTime tick, std::span<Reading> readings) override;
  bool may_hang() const override { return true; }
  std::optional<std::size_t> users(std::size_t sensor, std::span<GpuProcess> users) override;

 private:
  using Value = tl::expected<std::int64_t, ReadFault>;
  Value read(Quantity quantity);
  Value energy();
  Value utilization() const;
  Value memory_used() const;

  std::unique_ptr<const Gpu> gpu_;
  std::vector<SensorInfo> sensors_;
  std::optional<KfdUsers> users_;
  std::optional<CountScale> scale_;  // missing until the counter could be read once
};

}  // namespace codecarbon::amdsmi
