#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "readings/probe.hpp"
#include "sensors/nvml/nvml_device.hpp"

namespace codecarbon::nvml {

/// Why there is no value, from the code of a failed call.
ReadFault fault_of(Return code);

/// Reads one GPU. Each has a probe of its own, so that one that fails or hangs holds no other.
///
/// A GPU that is lost is looked for again at most once a second of ticks, and read as soon as the
/// driver has it again. Utilisation and memory change slowly and are asked for at most every 100 ms
/// of ticks; between, their last answer stands.
class NvmlProbe final : public Probe {
 public:
  static constexpr Duration kSearchEvery = std::chrono::seconds(1);
  static constexpr Duration kUsageEvery = std::chrono::milliseconds(100);

  /// All of `sensors` are of the one `device`.
  NvmlProbe(NvmlDevice device, std::vector<SensorInfo> sensors);

  std::span<const SensorInfo> sensors() const override { return sensors_; }
  void read(MonoTime tick, std::span<Reading> readings) override;
  bool may_hang() const override { return true; }
  /// With what each used of the GPU since the last call, where the driver keeps samples of that.
  std::optional<std::size_t> users(std::size_t sensor, std::span<GpuProcess> users) override;

 private:
  using Value = tl::expected<std::int64_t, ReadFault>;
  struct Usage {
    std::optional<MonoTime> asked_at;
    Value value = tl::unexpected(ReadFault::empty);
  };

  Value ask(const SensorInfo& sensor) const;
  Value model(const SensorInfo& sensor) const;
  Value read_one(MonoTime tick, std::size_t sensor);
  bool recover(MonoTime tick);
  void add_utilization(std::span<GpuProcess> users);

  NvmlDevice device_;
  std::vector<SensorInfo> sensors_;
  std::vector<Usage> usages_;  // by sensor; unused for energy and power
  std::optional<MonoTime> searched_at_;
  unsigned long long sampled_until_us_ = 0;  // by the clock of the driver's samples
};

}  // namespace codecarbon::nvml
