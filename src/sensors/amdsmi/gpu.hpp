#pragma once

#include <cstdint>
#include <tl/expected.hpp>

#include "sensors/amdsmi/abi.hpp"

namespace codecarbon::amdsmi {

enum class CallFault : std::uint8_t {
  unsupported,  ///< by the library or by this GPU, for good
  failed,       ///< this time
};

template <class T>
using Answer = tl::expected<T, CallFault>;

struct EnergyCount {
  std::uint64_t counts = 0;
  float resolution_uj = 0;  ///< of one count, as the library states it
};

/// One GPU as a library of the vendor shows it. A call may take as long as the driver likes.
/// One thread at a time; keeps its library loaded.
class Gpu {
 public:
  virtual ~Gpu() = default;
  virtual Answer<EnergyCount> energy() const = 0;
  virtual Answer<std::uint32_t> busy_percent() const = 0;
  virtual Answer<std::uint64_t> memory_total() const = 0;  ///< bytes
  virtual Answer<std::uint64_t> memory_used() const = 0;   ///< bytes
  virtual Answer<std::uint64_t> pci_id() const = 0;        ///< packed as abi.hpp says
};

}  // namespace codecarbon::amdsmi
