#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "host/host.hpp"
#include "readings/probe.hpp"

namespace codecarbon::modelled {

/// Memory in use by /proc/meminfo: what is fitted less what programs could still have. Missing when
/// the text does not say both.
std::optional<std::int64_t> memory_used(std::string_view meminfo);

/// A gauge of it. Looks at most every 100 ms: the kernel takes its time to add it up.
class MemoryProbe final : public Probe {
 public:
  MemoryProbe(KeptFile meminfo, SensorInfo info);
  std::span<const SensorInfo> sensors() const override { return {&info_, 1}; }
  void read(MonoTime tick, std::span<Reading> readings) override;

 private:
  tl::expected<std::int64_t, ReadFault> look() const;

  KeptFile meminfo_;
  SensorInfo info_;
  std::optional<Reading> last_;
};

}  // namespace codecarbon::modelled
