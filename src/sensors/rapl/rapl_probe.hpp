#pragma once

#include <optional>
#include <span>
#include <vector>

#include "readings/probe.hpp"
#include "sensors/files/number_file.hpp"
#include "sensors/rapl/mirror.hpp"

namespace codecarbon::rapl {

/// The file of one counter, joined by the files that mirrored it when they were found, or that
/// could not be told from it because one of the two gave no reading.
class Channel {
 public:
  Channel(NumberFile first, std::optional<std::int64_t> range)
      : first_(std::move(first)), range_(range) {}

  /// Looks at both several times. True, and `other` is taken in, unless it shows another counter.
  /// One that gave no reading is awaited: until it has one the channel has none, and from then on
  /// what it uses of its own is counted.
  bool absorb(NumberFile& other, std::optional<std::int64_t> range, MonoTime now);

  tl::expected<std::int64_t, ReadFault> read(MonoTime now);
  std::size_t size() const { return 1 + others_.size(); }

 private:
  struct Other {
    NumberFile file;
    std::optional<Mirror> mirror;  // missing until both were read
  };
  tl::expected<std::int64_t, ReadFault> own_part(Other& other, std::int64_t& first, MonoTime now);

  NumberFile first_;
  std::optional<std::int64_t> range_;
  std::vector<Other> others_;
};

/// Reads one counter of the powercap tree. Each has a probe of its own, so that a counter that is
/// not used is not read: a reading interrupts the processor that it is of.
class RaplProbe final : public Probe {
 public:
  RaplProbe(SensorInfo sensor, Channel channel);
  std::span<const SensorInfo> sensors() const override { return {&sensor_, 1}; }
  void read(MonoTime tick, std::span<Reading> readings) override;

 private:
  SensorInfo sensor_;
  Channel channel_;
};

}  // namespace codecarbon::rapl
