#include "sensors/ipmi/dcmi.hpp"

namespace codecarbon::ipmi {
namespace {

constexpr std::size_t kLength = 19;
constexpr std::uint8_t kGroup = 0xdc;
constexpr std::uint8_t kActive = 0x40;

/// `size` bytes from `offset`, the lowest first.
std::int64_t number(std::span<const std::uint8_t> answer, std::size_t offset, std::size_t size) {
  std::int64_t value = 0;
  for (std::size_t i = size; i > 0; --i) value = value * 256 + answer[offset + i - 1];
  return value;
}

/// Completion codes of IPMI 2.0, table 5-2.
NoPower failure(std::uint8_t code) {
  switch (code) {
    case 0xc0:  // node busy
    case 0xc3:  // time out while processing
    case 0xd5:  // not in the present state
      return NoPower::busy;
    case 0xc1:  // invalid command
    case 0xc2:  // invalid for this unit
    case 0xcc:  // invalid data field
      return NoPower::unsupported;
    default:
      return NoPower::refused;
  }
}

}  // namespace

tl::expected<PowerReading, NoPower> decode_power(std::span<const std::uint8_t> answer) {
  if (answer.empty()) return tl::unexpected(NoPower::malformed);
  if (answer[0] != 0) return tl::unexpected(failure(answer[0]));
  if (answer.size() < kLength || answer[1] != kGroup) return tl::unexpected(NoPower::malformed);
  const PowerReading reading{number(answer, 2, 2), number(answer, 8, 2),
                             std::chrono::milliseconds(number(answer, 14, 4))};
  const bool active = (answer[18] & kActive) != 0;
  if (!active || reading.now_watts == 0) return tl::unexpected(NoPower::off);
  return reading;
}

}  // namespace codecarbon::ipmi
