#include "sensors/gpu_hwmon/card.hpp"

#include <gtest/gtest.h>

#include "host/machine_copy.hpp"

namespace codecarbon::gpu_hwmon {
namespace {

using testing_support::machine;
using testing_support::MachineCopy;

TEST(Cards, AreNumberedByVendorAndAddressWhateverTheirFoldersAreCalled) {
  const auto cards = find_cards(MachineCopy(machine("intel-cards")).host());
  ASSERT_EQ(cards.size(), 4U);  // neither the thermometer nor the tile of a card
  const char* addresses[] = {"0000:00:02.0", "0000:03:00.0", "0000:0a:00.0", "0000:b3:00.0"};
  for (std::size_t i = 0; i < cards.size(); ++i) {
    EXPECT_EQ(cards[i].domain.bus_id, addresses[i]);
    EXPECT_EQ(cards[i].domain.index, static_cast<int>(i));
    EXPECT_EQ(cards[i].domain.vendor, Vendor::intel);
    EXPECT_EQ(cards[i].domain.kind, DomainKind::gpu);
  }
  EXPECT_EQ(cards[1].domain.name, "Intel GPU 8086:56a0");
}

TEST(Cards, AreCalledAsTheirBoardsAre) {
  const auto cards = find_cards(MachineCopy(machine("radeon-workstation")).host());
  ASSERT_EQ(cards.size(), 3U);
  EXPECT_EQ(cards[1].domain.name, "AMD Radeon Pro W6800");
  EXPECT_EQ(cards[1].driver, "amdgpu");
  EXPECT_EQ(cards[2].domain.name, "AMD GPU 1002:164e");
}

TEST(Cards, OfTwoVendorsAreNumberedApart) {
  const MachineCopy copy(machine("intel-cards"));
  copy.write("sys/class/hwmon/hwmon20/name", "amdgpu\n");
  copy.write("sys/class/hwmon/hwmon20/device/uevent", "PCI_SLOT_NAME=0000:C3:00.0\n");
  const auto cards = find_cards(copy.host());
  ASSERT_EQ(cards.size(), 5U);
  EXPECT_EQ(cards[0].domain.vendor, Vendor::amd);
  EXPECT_EQ(cards[0].domain.bus_id, "0000:c3:00.0");
  EXPECT_EQ(cards[0].domain.index, 0);
  EXPECT_EQ(cards[1].domain.index, 0);
}

TEST(Cards, WithoutAnAddressAreCardsAllTheSame) {
  const MachineCopy copy;
  for (const char* uevent :
       {"", "garbage", "PCI_SLOT_NAME", "=\n=\n", "PCI_ID=\nX=PCI_SLOT_NAME="}) {
    copy.write("sys/class/hwmon/hwmon0/name", "xe");
    copy.write("sys/class/hwmon/hwmon0/device/uevent", uevent);
    const auto cards = find_cards(copy.host());
    ASSERT_EQ(cards.size(), 1U) << uevent;
    EXPECT_EQ(cards[0].domain.bus_id, "") << uevent;
    EXPECT_EQ(cards[0].domain.name, "Intel GPU") << uevent;
  }
}

}  // namespace
}  // namespace codecarbon::gpu_hwmon
