#include "sensors/ipmi/dcmi.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace codecarbon::ipmi {
namespace {

using Bytes = std::vector<std::uint8_t>;

// 356 W now, 12 to 900 W, 320 W on the average of 1000 ms, active.
const Bytes kGood = {0x00, 0xdc, 0x64, 0x01, 0x0c, 0x00, 0x84, 0x03, 0x40, 0x01,
                     0x11, 0x22, 0x33, 0x44, 0xe8, 0x03, 0x00, 0x00, 0x40};

Bytes with(std::size_t at, std::uint8_t value) {
  Bytes bytes = kGood;
  bytes[at] = value;
  return bytes;
}

NoPower why(const Bytes& bytes) {
  return decode_power(bytes).error();
}

TEST(Dcmi, APowerReading) {
  const auto reading = decode_power(kGood);
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->now_watts, 356);
  EXPECT_EQ(reading->mean_watts, 320);
  EXPECT_EQ(reading->period, std::chrono::seconds(1));
}

TEST(Dcmi, EveryPowerIsReadAsItWasWritten) {
  EXPECT_TRUE(rc::check([] {
    const auto watts = *rc::gen::inRange(1, 0x10000);
    Bytes bytes = with(2, static_cast<std::uint8_t>(watts & 0xff));
    bytes[3] = static_cast<std::uint8_t>(watts >> 8);
    RC_ASSERT(decode_power(bytes)->now_watts == watts);
  }));
}

TEST(Dcmi, AnAnswerWithoutPowerSaysWhy) {
  EXPECT_EQ(why(with(0, 0xc0)), NoPower::busy);
  EXPECT_EQ(why(with(0, 0xc1)), NoPower::unsupported);
  EXPECT_EQ(why(with(0, 0xd4)), NoPower::refused);
  EXPECT_EQ(why({0xc1}), NoPower::unsupported);
  EXPECT_EQ(why(with(1, 0xdd)), NoPower::malformed);
  EXPECT_EQ(why(with(18, 0x00)), NoPower::off);
  Bytes zero = with(2, 0);
  zero[3] = 0;
  EXPECT_EQ(why(zero), NoPower::off);
}

TEST(Dcmi, NoBytesBreakIt) {
  for (std::size_t length = 0; length < kGood.size(); ++length) {
    EXPECT_EQ(why(Bytes(kGood.begin(), kGood.begin() + static_cast<std::ptrdiff_t>(length))),
              NoPower::malformed);
  }
  EXPECT_TRUE(rc::check([](const Bytes& bytes) {
    const auto reading = decode_power(bytes);
    RC_ASSERT(!reading || (reading->now_watts > 0 && reading->now_watts <= 0xffff));
  }));
}

}  // namespace
}  // namespace codecarbon::ipmi
