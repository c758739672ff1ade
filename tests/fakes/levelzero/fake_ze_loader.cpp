/// \file
/// A libze_loader with the system management of three cards: at 0000:03:00.0 (counted by the kernel
/// in the test's machine), 0000:1a:00.0 and 0000:b3:00.0. The last names no meter of the whole
/// card, and its tiles come before the card. Prototypes as in level_zero/zes_api.h (Intel,
/// specification 1.5, MIT licence); abi_check.cpp holds the structures against that header.

#include <array>
#include <cstdint>

#include "sensors/levelzero/abi.hpp"

namespace abi = codecarbon::levelzero::abi;

namespace {

constexpr std::uint32_t kUnsupported = 0x78000003;
constexpr std::uint32_t kDeviceLost = 0x70000001;
constexpr std::uint32_t kUninitialised = 0x78000001;

constexpr std::array<std::uint32_t, 3> kBuses = {0x03, 0x1a, 0xb3};
constexpr std::uint32_t kLast = 2;

std::array<std::uint64_t, 3> energies_uj{};
std::array<bool, 3> lost{};
std::uint32_t refusal = 0;
bool started = false;

// Devices are 1, 2, 3; the meter of a card is ten times its device, that of a tile one more.
void* handle(std::uintptr_t number) {
  return reinterpret_cast<void*>(number);
}
std::uintptr_t number(void* of) {
  return reinterpret_cast<std::uintptr_t>(of);
}

std::uint32_t give(std::uint32_t* count, void** room, const std::array<std::uintptr_t, 3>& all) {
  if (!started) return kUninitialised;
  if (room != nullptr) {
    for (std::uint32_t i = 0; i < *count && i < all.size(); ++i) room[i] = handle(all[i]);
  }
  *count = static_cast<std::uint32_t>(all.size());
  return 0;
}

}  // namespace

extern "C" {

void fake_ze_set_energy(std::uint32_t card, std::uint64_t energy_uj) {
  energies_uj[card] = energy_uj;
}
void fake_ze_lose(std::uint32_t card, bool is_lost) {
  lost[card] = is_lost;
}
void fake_ze_refuse(std::uint32_t status) {
  refusal = status;
}

std::uint32_t zesInit(std::uint32_t) {
  started = refusal == 0;
  return refusal;
}

std::uint32_t zesDriverGet(std::uint32_t* count, void** drivers) {
  if (!started) return kUninitialised;
  if (drivers != nullptr) drivers[0] = handle(7);
  *count = 1;
  return 0;
}

std::uint32_t zesDeviceGet(void*, std::uint32_t* count, void** devices) {
  return give(count, devices, {1, 2, 3});
}

std::uint32_t zesDevicePciGetProperties(void* device, abi::PciProperties* pci) {
  pci->bus = kBuses[number(device) - 1];
  return 0;
}

std::uint32_t zesDeviceGetCardPowerDomain(void* device, void** power) {
  if (number(device) - 1 == kLast) return kUnsupported;
  *power = handle(number(device) * 10);
  return 0;
}

std::uint32_t zesDeviceEnumPowerDomains(void* device, std::uint32_t* count, void** domains) {
  const std::uintptr_t card = number(device) * 10;
  return give(count, domains, {card + 1, card + 2, card});
}

std::uint32_t zesPowerGetProperties(void* power, abi::PowerProperties* out) {
  out->on_subdevice = number(power) % 10 != 0;
  return 0;
}

std::uint32_t zesPowerGetEnergyCounter(void* power, abi::EnergyCounter* out) {
  const std::uintptr_t card = number(power) / 10 - 1;
  if (lost[card]) return kDeviceLost;
  // A tile shows a third.
  out->energy_uj = number(power) % 10 == 0 ? energies_uj[card] : energies_uj[card] / 3;
  return 0;
}

}  // extern "C"
