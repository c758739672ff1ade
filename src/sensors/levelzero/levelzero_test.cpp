#include "sensors/levelzero/levelzero.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "host/library.hpp"
#include "host/machine_copy.hpp"
#include "readings/allocations_fixture.hpp"
#include "readings/metered_fixture.hpp"
#include "sensors/levelzero/uncounted_cards.hpp"

namespace codecarbon::levelzero {
namespace {

using testing_support::MachineCopy;
using testing_support::Metered;

constexpr const char* kLoader = "libze_loader.so.1";
constexpr std::uint64_t kStart = 987'654'321'012;

/// Graphics in the processor, one card that the kernel counts, two that it does not, and a network
/// card and a card of another vendor.
class Node {
 public:
  Node() {
    put("0000:00:02.0", "0x8086", "0x030000");
    put("0000:03:00.0", "0x8086", "0x030000");
    files.write("sys/bus/pci/devices/0000:03:00.0/hwmon/hwmon4/energy1_input", 5);
    put("0000:1a:00.0", "0x8086", "0x038000");
    put("0000:b3:00.0", "0x8086", "0x038000");
    put("0000:c1:00.0", "0x8086", "0x020000");
    put("0000:d1:00.0", "0x10de", "0x030200");
  }
  Node& install(const std::string& edition = "fake_ze_loader") {
    const auto fake = std::filesystem::path(CODECARBON_FAKE_ZE) / ("lib" + edition + ".so");
    std::filesystem::create_directories(files.root() / "usr/lib");
    std::filesystem::copy_file(fake, files.root() / "usr/lib" / kLoader);
    library_ = std::make_unique<Library>(Library::load(files.host(), kLoader).value());
    for (std::uint32_t card = 0; card < 3; ++card) count(card, kStart);
    return *this;
  }
  Discovery discover() const { return levelzero::discover(files.host(), {}); }
  void count(std::uint32_t card, std::uint64_t energy_uj) {
    library_->function<void(std::uint32_t, std::uint64_t)>("fake_ze_set_energy")(card, energy_uj);
  }
  void lose(std::uint32_t card, bool lost) {
    library_->function<void(std::uint32_t, bool)>("fake_ze_lose")(card, lost);
  }
  void refuse(std::uint32_t status) {
    library_->function<void(std::uint32_t)>("fake_ze_refuse")(status);
  }

  MachineCopy files;

 private:
  void put(const std::string& address, const char* vendor, const char* kind) const {
    files.write("sys/bus/pci/devices/" + address + "/vendor", vendor);
    files.write("sys/bus/pci/devices/" + address + "/class", kind);
  }
  std::unique_ptr<Library> library_;
};

long count(const Discovery& found, Finding::Outcome outcome) {
  return std::count_if(found.findings.begin(), found.findings.end(),
                       [&](const Finding& finding) { return finding.outcome == outcome; });
}

TEST(LevelZero, IsForCardsThatTheKernelDoesNotCount) {
  EXPECT_EQ(uncounted_cards(Node().files.host()),
            (std::vector<std::string>{"0000:1a:00.0", "0000:b3:00.0"}));
  EXPECT_TRUE(uncounted_cards(MachineCopy().host()).empty());
  const Discovery found = Node().install().discover();
  ASSERT_EQ(found.probes.size(), 2U);
  const char* addresses[] = {"0000:1a:00.0", "0000:b3:00.0"};
  for (std::size_t i = 0; i < 2; ++i) {
    const Domain& domain = found.probes[i]->sensors()[0].domain;
    EXPECT_EQ(domain.bus_id, addresses[i]);
    EXPECT_EQ(domain.vendor, Vendor::intel);
    EXPECT_TRUE(found.probes[i]->may_hang());
  }
}

TEST(LevelZero, CountsTheCardAndNotItsTiles) {
  Node node;
  const Discovery found = node.install().discover();
  Metered metered(found);
  metered.sample(MonoTime{});
  std::uint64_t used = 0;
  for (int second = 1; second <= 60; ++second) {
    used += 150'000'000 + static_cast<std::uint64_t>(second) * 7;
    node.count(1, kStart + used);
    node.count(2, kStart + 2 * used);
    metered.sample(MonoTime{std::chrono::seconds(second)});
  }
  EXPECT_EQ(metered.account(0).energy.uj(), static_cast<std::int64_t>(used));
  EXPECT_EQ(metered.account(1).energy.uj(), static_cast<std::int64_t>(2 * used));
}

TEST(LevelZero, ACardThatIsLostLeavesTheOtherExactAndCatchesUp) {
  Node node;
  const Discovery found = node.install().discover();
  Metered metered(found);
  for (int second = 0; second <= 20; ++second) {
    const auto used = static_cast<std::uint64_t>(second) * 100'000'000;
    node.count(1, kStart + used);
    node.count(2, kStart + used);
    node.lose(1, second > 5 && second < 10);
    metered.sample(MonoTime{std::chrono::seconds(second)});
  }
  EXPECT_EQ(metered.account(0).energy, Energy::from_joules(2000));
  EXPECT_EQ(metered.account(1).energy, Energy::from_joules(2000));
}

TEST(LevelZero, ACardThatDoesNotAnswerYetIsASensor) {
  Node node;
  node.install().lose(2, true);
  const Discovery found = node.discover();
  EXPECT_EQ(found.probes.size(), 2U);
  EXPECT_EQ(count(found, Finding::Outcome::denied), 1);
}

TEST(LevelZero, WhatDoesNotFitIsGarbage) {
  Node node;
  const Discovery found = node.install().discover();
  node.count(1, UINT64_MAX);
  Reading reading;
  found.probes[0]->read(MonoTime{}, {&reading, 1});
  EXPECT_EQ(reading.value, tl::unexpected(ReadFault::garbage));
}

TEST(LevelZero, AMissingAnOldAndARefusingLibraryAreSaid) {
  EXPECT_EQ(count(Node().discover(), Finding::Outcome::absent), 1);
  const Discovery old = Node().install("fake_ze_loader_too_old").discover();
  EXPECT_EQ(count(old, Finding::Outcome::unsupported), 1);
  EXPECT_NE(old.findings[0].reason.find("too old"), std::string::npos);
  Node refusing;
  refusing.install().refuse(0x78000001);
  EXPECT_EQ(count(refusing.discover(), Finding::Outcome::unsupported), 1);
  Node broken;
  broken.files.write("usr/lib/" + std::string(kLoader), "no library");
  EXPECT_EQ(count(broken.discover(), Finding::Outcome::unsupported), 1);
}

TEST(LevelZero, ReadingAsksForNoMemory) {
  const Discovery found = Node().install().discover();
  EXPECT_EQ(testing_support::allocations_of_reading(found), 0);
}

}  // namespace
}  // namespace codecarbon::levelzero
