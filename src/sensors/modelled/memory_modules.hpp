#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "host/host.hpp"
#include "sensors/modelled/memory_model.hpp"

namespace codecarbon::modelled {

/// The memory modules that are fitted: from the drivers of the memory controllers (EDAC), which
/// anyone may read and most servers have, else from the firmware's table (SMBIOS), which only root
/// may. Empty when neither says.
std::vector<MemoryModule> read_memory_modules(const Host& host);

/// What EDAC calls a kind of memory: "Registered-DDR4", "Low-Power-DDR4-RAM".
MemoryModule module_of_edac(std::string_view type);

/// One "Memory Device" (type 17) of the firmware's table. Missing when `record` is no such thing or
/// too short, or when its slot is empty or its size unknown.
std::optional<MemoryModule> module_of_smbios(std::string_view record);

}  // namespace codecarbon::modelled
