#include "sensors/modelled/memory_modules.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

#include "host/machine_copy.hpp"

namespace codecarbon::modelled {
namespace {

using testing_support::MachineCopy;

constexpr std::int64_t kGibibyte = 1024LL * 1024 * 1024;

void fit(const MachineCopy& machine, const std::string& slot, const std::string& size,
         const std::string& type) {
  const std::string folder = "sys/devices/system/edac/mc/" + slot;
  machine.write(folder + "/size", size);
  machine.write(folder + "/dimm_mem_type", type);
}

/// A memory device of the firmware's table.
std::string record(int size, int type, int detail, int extended_size = 0) {
  std::string bytes(0x28, '\0');
  const auto put = [&](std::size_t at, int value, int count) {
    for (int i = 0; i < count; ++i) {
      bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(value >> (8 * i));
    }
  };
  put(0, 17, 1);
  put(1, 0x28, 1);
  put(0x0c, size, 2);
  put(0x12, type, 1);
  put(0x13, detail, 2);
  put(0x1c, extended_size, 4);
  return bytes;
}

TEST(EdacModules, AreThoseOfAllControllersWithoutEmptySlots) {
  const MachineCopy machine;
  fit(machine, "mc0/dimm0", "32768\n", "Registered-DDR4\n");
  fit(machine, "mc0/dimm1", "0\n", "Empty\n");
  fit(machine, "mc1/dimm0", "65536\n", "Load-Reduced-DDR5-RAM\n");
  const std::vector<MemoryModule> expected = {{32 * kGibibyte, MemoryKind::ddr4, true},
                                              {64 * kGibibyte, MemoryKind::ddr5, true}};
  EXPECT_EQ(read_memory_modules(machine.host()), expected);
}

TEST(EdacModules, BrokenSizesAndRanksAreNoModules) {
  const MachineCopy machine;
  int slot = 0;
  for (const char* size : {"", "x", "-1", "99999999999", "9999999999999999999999"}) {
    fit(machine, "mc0/dimm" + std::to_string(slot++), size, "Unbuffered-DDR4");
  }
  fit(machine, "mc0/rank0", "8192", "Unbuffered-DDR4");
  machine.write("sys/devices/system/edac/mc/mc0/dimm9/dimm_mem_type", "Unbuffered-DDR4");
  EXPECT_TRUE(read_memory_modules(machine.host()).empty());
  EXPECT_TRUE(read_memory_modules(MachineCopy().host()).empty());
}

TEST(EdacModules, KindsAreKnownByTheirNames) {
  EXPECT_EQ(module_of_edac("Unbuffered-DDR3"), (MemoryModule{0, MemoryKind::ddr3, false}));
  EXPECT_EQ(module_of_edac("Low-Power-DDR4-RAM"), (MemoryModule{0, MemoryKind::low_power, false}));
  EXPECT_EQ(module_of_edac("Registered-DDR5"), (MemoryModule{0, MemoryKind::ddr5, true}));
  EXPECT_EQ(module_of_edac("High-bandwidth-memory-Gen3"), MemoryModule{});
}

TEST(SmbiosModules, SayTheirSizeInThreeWays) {
  const auto bytes = [](const std::string& text) { return module_of_smbios(text)->bytes; };
  EXPECT_EQ(bytes(record(16384, 0x1a, 1 << 13)), 16 * kGibibyte);
  EXPECT_EQ(bytes(record(0x7fff, 0x22, 1 << 13, 128 * 1024)), 128 * kGibibyte);
  EXPECT_EQ(bytes(record(0x8000 | 512, 0x18, 0)), 512 * 1024);
}

TEST(SmbiosModules, AreReadWhereTheControllersSayNothing) {
  const MachineCopy machine;
  machine.write("sys/firmware/dmi/entries/17-0/raw", record(8192, 0x1a, 1 << 14));
  machine.write("sys/firmware/dmi/entries/17-1/raw", record(0, 2, 0));
  machine.write("sys/firmware/dmi/entries/16-0/raw", record(8192, 0x1a, 0));
  const std::vector<MemoryModule> expected = {{8 * kGibibyte, MemoryKind::ddr4, false}};
  EXPECT_EQ(read_memory_modules(machine.host()), expected);
  fit(machine, "mc0/dimm0", "4096", "Unbuffered-DDR4");
  EXPECT_EQ(read_memory_modules(machine.host()).front().bytes, 4 * kGibibyte);
}

TEST(SmbiosModules, AnyBytesAreAModuleOfSomeSizeOrNone) {
  EXPECT_EQ(module_of_smbios(""), std::nullopt);
  EXPECT_EQ(module_of_smbios(record(0, 0x1a, 0)), std::nullopt) << "empty";
  EXPECT_EQ(module_of_smbios(record(0xffff, 0x1a, 0)), std::nullopt) << "unknown";
  EXPECT_TRUE(rc::check([](std::string text) {
    text.insert(text.begin(), 17);
    const auto module = module_of_smbios(text);
    RC_ASSERT(!module || module->bytes > 0);
  }));
}

}  // namespace
}  // namespace codecarbon::modelled
