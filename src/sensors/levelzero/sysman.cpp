#include "sensors/levelzero/sysman.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace codecarbon::levelzero {
namespace {

constexpr const char* kLoader = "libze_loader.so.1";

struct Functions {
  abi::Init* init;
  abi::GetDrivers* drivers;
  abi::GetParts* devices;
  abi::GetParts* power_domains;
  abi::GetCardPower* card_power;  // may be missing
  abi::GetPci* pci;
  abi::GetPower* power;
  abi::GetEnergy* energy;

  explicit Functions(const Library& library)
      : init(library.function<abi::Init>("zesInit")),
        drivers(library.function<abi::GetDrivers>("zesDriverGet")),
        devices(library.function<abi::GetParts>("zesDeviceGet")),
        power_domains(library.function<abi::GetParts>("zesDeviceEnumPowerDomains")),
        card_power(library.function<abi::GetCardPower>("zesDeviceGetCardPowerDomain")),
        pci(library.function<abi::GetPci>("zesDevicePciGetProperties")),
        power(library.function<abi::GetPower>("zesPowerGetProperties")),
        energy(library.function<abi::GetEnergy>("zesPowerGetEnergyCounter")) {}

  bool complete() const {
    return init && drivers && devices && power_domains && pci && power && energy;
  }
};

template <class List, class... Of>
std::vector<abi::Handle> list_all(List* list, Of... of) {
  std::uint32_t count = 0;
  if (list(of..., &count, nullptr) != abi::kSuccess) return {};
  std::vector<abi::Handle> handles(count);
  if (count == 0 || list(of..., &count, handles.data()) != abi::kSuccess) return {};
  handles.resize(std::min<std::size_t>(count, handles.size()));
  return handles;
}

/// The meter of the whole card, where the library names it; else the first that is not of a tile.
std::optional<abi::Handle> card_meter(const Functions& call, abi::Handle device) {
  abi::Handle card = nullptr;
  if (call.card_power && call.card_power(device, &card) == abi::kSuccess && card) return card;
  for (const abi::Handle domain : list_all(call.power_domains, device)) {
    abi::PowerProperties properties;
    if (call.power(domain, &properties) == abi::kSuccess && !properties.on_subdevice) return domain;
  }
  return std::nullopt;
}

std::string address_of(const Functions& call, abi::Handle device) {
  abi::PciProperties pci;
  if (call.pci(device, &pci) != abi::kSuccess) return {};
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", pci.domain, pci.bus, pci.device, pci.function);
}

}  // namespace

std::optional<std::uint64_t> Meter::energy_uj() const {
  abi::EnergyCounter counter;
  if (get_energy(power, &counter) != abi::kSuccess) return std::nullopt;
  return counter.energy_uj;
}

Result<std::vector<Meter>> open_meters(const Host& host) {
  const auto library = Library::load(host, kLoader);
  if (!library) return tl::unexpected(library.error());
  const Functions call(*library);
  if (!call.complete()) {
    return fail(ErrorKind::io, library->name() + " is too old: it cannot start system management");
  }
  if (const abi::Status status = call.init(0); status != abi::kSuccess) {
    return fail(ErrorKind::io, fmt::format("{} does not start (status {:#x}): is Intel's compute "
                                           "driver installed, and may this user open /dev/dri?",
                                           library->name(), status));
  }
  std::vector<Meter> meters;
  for (const abi::Handle driver : list_all(call.drivers)) {
    for (const abi::Handle device : list_all(call.devices, driver)) {
      const auto power = card_meter(call, device);
      if (power) meters.push_back({address_of(call, device), *library, *power, call.energy});
    }
  }
  return meters;
}

}  // namespace codecarbon::levelzero
