#pragma once

#include <memory>
#include <vector>

#include "readings/probe.hpp"
#include "sensors/perf/kernel.hpp"
#include "sensors/perf/scale.hpp"

namespace codecarbon::perf {

/// Reads all counters of one socket with one call. A reading counts from the moment at which the
/// group was opened.
class SocketProbe final : public Probe {
 public:
  static constexpr std::size_t kMostEvents = 8;

  /// One counter of the group. Keeping the descriptor keeps it counting.
  struct Member {
    SensorInfo sensor;
    Scale scale;
    Fd fd;
  };
  /// `members` are those of one group in the order of their opening, its leader first; at least
  /// one, at most kMostEvents.
  SocketProbe(std::shared_ptr<const Kernel> kernel, std::vector<Member> members);

  std::span<const SensorInfo> sensors() const override { return sensors_; }
  void read(MonoTime tick, std::span<Reading> readings) override;

 private:
  std::shared_ptr<const Kernel> kernel_;
  std::vector<SensorInfo> sensors_;
  std::vector<Scale> scales_;
  std::vector<Fd> fds_;
};

}  // namespace codecarbon::perf
