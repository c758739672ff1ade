#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "readings/probe.hpp"
#include "sensors/rapl/energy_file.hpp"
#include "sensors/rapl/mirror.hpp"

namespace codecarbon::rapl {

/// The file of one counter, joined by the files that mirrored it when they were found, or that
/// could not be told from it because one of the two gave no reading.
class Channel {
 public:
  Channel(EnergyFile first, std::optional<std::int64_t> range)
      : first_(std::move(first)), range_(range) {}

  /// Looks at both several times. True, and `other` is taken in, unless it shows another counter.
  /// One that gave no reading is awaited: until it has one the channel has none, and from then on
  /// what it uses of its own is counted.
  bool absorb(EnergyFile& other, std::optional<std::int64_t> range, MonoTime now);

  tl::expected<std::int64_t, ReadFault> read(MonoTime now);
  std::size_t size() const { return 1 + others_.size(); }

 private:
  struct Other {
    EnergyFile file;
    std::optional<Mirror> mirror;  // missing until both were read
  };
  tl::expected<std::int64_t, ReadFault> own_part(Other& other, std::int64_t& first, MonoTime now);

  EnergyFile first_;
  std::optional<std::int64_t> range_;
  std::vector<Other> others_;
};

/// Reads all counters of the powercap tree, one after the other.
class RaplProbe final : public Probe {
 public:
  /// One sensor a channel, in the same order.
  RaplProbe(std::vector<SensorInfo> sensors, std::vector<Channel> channels,
            std::shared_ptr<const Clock> clock);
  std::span<const SensorInfo> sensors() const override { return sensors_; }
  void read(std::span<Reading> readings) override;

 private:
  std::vector<SensorInfo> sensors_;
  std::vector<Channel> channels_;
  std::shared_ptr<const Clock> clock_;
};

}  // namespace codecarbon::rapl
