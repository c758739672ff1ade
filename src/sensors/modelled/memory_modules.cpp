#include "sensors/modelled/memory_modules.hpp"

#include <string>

#include "base/text.hpp"

namespace codecarbon::modelled {
namespace {

constexpr std::int64_t kMebibyte = 1024 * 1024;
constexpr std::int64_t kMostMebibytes = std::int64_t{1} << 24;  // 16 TiB in one module

constexpr std::string_view kEdac = "sys/devices/system/edac/mc";
constexpr std::string_view kSmbios = "sys/firmware/dmi/entries";

std::optional<MemoryModule> read_edac_module(const Host& host, const std::string& folder) {
  const auto size = host.read(folder + "/size");
  const auto mebibytes = size ? parse_integer(*size) : std::nullopt;
  if (!mebibytes || *mebibytes <= 0 || *mebibytes > kMostMebibytes) return std::nullopt;
  const auto type = host.read(folder + "/dimm_mem_type");
  MemoryModule module = module_of_edac(type ? std::string_view(*type) : std::string_view());
  module.bytes = *mebibytes * kMebibyte;
  return module;
}

std::vector<MemoryModule> edac_modules(const Host& host) {
  std::vector<MemoryModule> modules;
  for (const std::string& controller : host.list(kEdac)) {
    if (!controller.starts_with("mc")) continue;
    const std::string folder = std::string(kEdac) + "/" + controller;
    for (const std::string& slot : host.list(folder)) {
      if (!slot.starts_with("dimm"))
        continue;  // some drivers only know ranks, which are no modules
      if (const auto module = read_edac_module(host, folder + "/" + slot)) {
        modules.push_back(*module);
      }
    }
  }
  return modules;
}

std::vector<MemoryModule> smbios_modules(const Host& host) {
  std::vector<MemoryModule> modules;
  for (const std::string& entry : host.list(kSmbios)) {
    if (!entry.starts_with("17-")) continue;
    const auto record = host.read(std::string(kSmbios) + "/" + entry + "/raw");
    const auto module = record ? module_of_smbios(*record) : std::nullopt;
    if (module) modules.push_back(*module);
  }
  return modules;
}

std::int64_t little_endian(std::string_view bytes, std::size_t at, std::size_t size) {
  std::int64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    value |= std::int64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  }
  return value;
}

// Offsets and values: DMTF DSP0134 (SMBIOS 3.7, 2023), 7.18.
constexpr std::size_t kSizeAt = 0x0c;
constexpr std::size_t kTypeAt = 0x12;
constexpr std::size_t kDetailAt = 0x13;
constexpr std::size_t kLeastLength = 0x15;
constexpr std::size_t kExtendedSizeAt = 0x1c;
constexpr std::size_t kLengthWithExtendedSize = 0x20;

std::int64_t smbios_bytes(std::string_view record) {
  const std::int64_t size = little_endian(record, kSizeAt, 2);
  if (size == 0xffff) return 0;  // unknown
  if (size == 0x7fff && record.size() >= kLengthWithExtendedSize) {
    return (little_endian(record, kExtendedSizeAt, 4) & 0x7fffffff) * kMebibyte;
  }
  return (size & 0x8000) != 0 ? (size & 0x7fff) * 1024 : size * kMebibyte;
}

MemoryKind smbios_kind(std::int64_t type) {
  switch (type) {
    case 0x18:
      return MemoryKind::ddr3;
    case 0x1a:
      return MemoryKind::ddr4;
    case 0x22:
      return MemoryKind::ddr5;
    case 0x1b:
    case 0x1c:
    case 0x1d:
    case 0x1e:
    case 0x23:
      return MemoryKind::low_power;
    default:
      return MemoryKind::unknown;
  }
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

MemoryModule module_of_edac(std::string_view type) {
  MemoryModule module;
  module.registered = has(type, "Registered") || has(type, "Load-Reduced");
  if (has(type, "Low-Power")) {
    module.kind = MemoryKind::low_power;
  } else if (has(type, "DDR5")) {
    module.kind = MemoryKind::ddr5;
  } else if (has(type, "DDR4")) {
    module.kind = MemoryKind::ddr4;
  } else if (has(type, "DDR3")) {
    module.kind = MemoryKind::ddr3;
  }
  return module;
}

std::optional<MemoryModule> module_of_smbios(std::string_view record) {
  constexpr char kMemoryDevice = 17;
  if (record.size() < kLeastLength || record[0] != kMemoryDevice) return std::nullopt;
  MemoryModule module;
  module.bytes = smbios_bytes(record);
  module.kind = smbios_kind(little_endian(record, kTypeAt, 1));
  constexpr std::int64_t kRegistered = 1 << 13;
  constexpr std::int64_t kLoadReduced = 1 << 15;
  module.registered = (little_endian(record, kDetailAt, 2) & (kRegistered | kLoadReduced)) != 0;
  return module.bytes > 0 && module.bytes <= kMostMebibytes * kMebibyte ? std::optional(module)
                                                                        : std::nullopt;
}

std::vector<MemoryModule> read_memory_modules(const Host& host) {
  auto modules = edac_modules(host);
  return modules.empty() ? smbios_modules(host) : modules;
}

}  // namespace codecarbon::modelled
