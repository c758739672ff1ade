#pragma once

#include <array>
#include <cstdint>

/// What is used of the binary interface of Level Zero's system management, from the structures and
/// prototypes in level_zero/zes_api.h (Intel, specification 1.5 of 2022, MIT licence).
namespace codecarbon::levelzero::abi {

using Status = std::uint32_t;  // ze_result_t
inline constexpr Status kSuccess = 0;

using Handle = void*;
using Bool = std::uint8_t;

struct PciProperties {
  std::uint32_t type = 0x2;
  void* next = nullptr;
  std::uint32_t domain = 0;
  std::uint32_t bus = 0;
  std::uint32_t device = 0;
  std::uint32_t function = 0;
  std::int32_t speed_generation = 0;
  std::int32_t speed_width = 0;
  std::int64_t speed_bandwidth = 0;
  std::array<Bool, 3> counters{};
};

struct PowerProperties {
  std::uint32_t type = 0xd;
  void* next = nullptr;
  Bool on_subdevice = 0;
  std::uint32_t subdevice = 0;
  Bool can_control = 0;
  Bool threshold_supported = 0;
  std::array<std::int32_t, 3> limits_mw{};
};

struct EnergyCounter {
  std::uint64_t energy_uj = 0;
  std::uint64_t time_us = 0;
};

using Init = Status(std::uint32_t flags);
/// Called first without room, for the number.
using GetDrivers = Status(std::uint32_t* count, Handle* drivers);
using GetParts = Status(Handle of, std::uint32_t* count, Handle* parts);
using GetPci = Status(Handle device, PciProperties* properties);
using GetCardPower = Status(Handle device, Handle* power);
using GetPower = Status(Handle power, PowerProperties* properties);
using GetEnergy = Status(Handle power, EnergyCounter* counter);

}  // namespace codecarbon::levelzero::abi
