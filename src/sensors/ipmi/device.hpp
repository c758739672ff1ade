#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tl/expected.hpp>

#include "sensors/ipmi/dcmi.hpp"

namespace codecarbon::ipmi {

/// The kernel's way to the controller of the board. One thread at a time.
class Device {
 public:
  virtual ~Device() = default;
  /// Asks, waits at most for `patience`, and returns how many bytes of `answer` were filled, or the
  /// errno of the failure. Answers to earlier commands that came too late are dropped. Does not
  /// allocate.
  virtual tl::expected<std::size_t, int> ask(const Command& command, std::span<std::uint8_t> answer,
                                             std::chrono::milliseconds patience) = 0;
};

/// Opens the device file, or says with which errno that failed.
tl::expected<std::unique_ptr<Device>, int> open_device(const std::string& path);

}  // namespace codecarbon::ipmi
