#pragma once

#include <optional>
#include <string_view>

#include "readings/sensor.hpp"

namespace codecarbon::hwmon {

/// What a power meter of a socket sees.
enum class SocketPart {
  module,  ///< the processor and the GPU beside it, with their memories and regulators
  socket,  ///< the whole processor: its cores, the rest of its chip, its memory
  cores,   ///< the supply of its cores
  rest,    ///< the supply of the rest of its chip
};

struct SocketLabel {
  SocketPart part = SocketPart::socket;
  int socket = 0;
};

/// The label of a power meter of NVIDIA Grace: "Grace Power Socket 0", "CPU Power Socket 0", "SysIO
/// Power Socket 0", "Module Power Socket 0", or in the words of other firmware "Total Input Power
/// in uW socket 0", "CPU Rail Power in uW socket 0", "SoC Rail Power in uW socket 0". Missing for
/// any other text. (Grace Performance Tuning Guide, NVIDIA 2024, "Power Telemetry".)
std::optional<SocketLabel> parse_socket_label(std::string_view label);

/// The whole number that stands after `word` and ends `text`: 1 of "Esocket1" after "Esocket".
std::optional<int> number_after(std::string_view text, std::string_view word);

}  // namespace codecarbon::hwmon
