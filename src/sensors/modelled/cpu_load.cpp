#include "sensors/modelled/cpu_load.hpp"

#include <algorithm>

namespace codecarbon::modelled {

std::optional<double> LoadMeter::advance(CpuTimes now) {
  const std::int64_t total = now.total - last_.total;
  if (total == 0) return std::nullopt;
  // The kernel's idle and I/O times may step back a little, so busy time is held within the total.
  const std::int64_t busy =
      std::clamp<std::int64_t>(now.busy - last_.busy, 0, std::max<std::int64_t>(total, 0));
  last_ = now;
  if (total < 0) return std::nullopt;
  return static_cast<double>(busy) / static_cast<double>(total);
}

}  // namespace codecarbon::modelled
