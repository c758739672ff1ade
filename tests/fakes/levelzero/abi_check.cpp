/// \file
/// Holds our declarations against the vendor's header, where that is installed (Debian: libze-dev).

#if __has_include(<level_zero/zes_api.h>)
#include <level_zero/zes_api.h>

#include <cstddef>

#include "sensors/levelzero/abi.hpp"

namespace {

using codecarbon::levelzero::abi::EnergyCounter;
using codecarbon::levelzero::abi::PciProperties;
using codecarbon::levelzero::abi::PowerProperties;

static_assert(sizeof(zes_pci_properties_t) == sizeof(PciProperties));
static_assert(offsetof(zes_pci_properties_t, address) == offsetof(PciProperties, domain));
static_assert(PciProperties{}.type == ZES_STRUCTURE_TYPE_PCI_PROPERTIES);
static_assert(sizeof(zes_power_properties_t) == sizeof(PowerProperties));
static_assert(offsetof(zes_power_properties_t, onSubdevice) ==
              offsetof(PowerProperties, on_subdevice));
static_assert(PowerProperties{}.type == ZES_STRUCTURE_TYPE_POWER_PROPERTIES);
static_assert(sizeof(zes_power_energy_counter_t) == sizeof(EnergyCounter));
static_assert(offsetof(zes_power_energy_counter_t, energy) == offsetof(EnergyCounter, energy_uj));

}  // namespace
#endif
