#include "sensors/files/memory_use.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "host/machine_facts.hpp"

namespace codecarbon {
namespace {

constexpr std::string_view kMeminfo = "proc/meminfo";

std::optional<std::int64_t> memory_available(std::string_view meminfo) {
  if (const auto available = meminfo_bytes(meminfo, "MemAvailable:")) return available;
  // Kernels before 3.14 leave it to their users.
  const auto free = meminfo_bytes(meminfo, "MemFree:");
  if (!free) return std::nullopt;
  return *free + meminfo_bytes(meminfo, "Buffers:").value_or(0) +
         meminfo_bytes(meminfo, "Cached:").value_or(0);
}

class MachineMemory final : public MemorySource {
 public:
  explicit MachineMemory(KeptFile meminfo) : meminfo_(std::move(meminfo)) {}

  tl::expected<std::int64_t, ReadFault> read() const override {
    std::array<char, 512> buffer;
    const auto text = meminfo_.read(buffer);
    if (!text) return tl::unexpected(ReadFault::unreadable);
    if (text->empty()) return tl::unexpected(ReadFault::empty);
    const auto used = memory_used(*text);
    if (!used) return tl::unexpected(ReadFault::garbage);
    return *used;
  }

 private:
  KeptFile meminfo_;
};

class GroupMemory final : public MemorySource {
 public:
  GroupMemory(KeptFile usage, Result<KeptFile> stat, std::string_view key)
      : usage_(std::move(usage)), stat_(std::move(stat)), key_(key) {}

  tl::expected<std::int64_t, ReadFault> read() const override {
    std::array<char, 64> number;
    std::array<char, 8192> table;
    const auto usage = usage_.read(number);
    if (!usage) return tl::unexpected(ReadFault::unreadable);
    if (usage->empty()) return tl::unexpected(ReadFault::empty);
    const auto stat = stat_ ? stat_->read(table) : tl::expected<std::string_view, int>();
    const auto used = group_memory_used(*usage, stat.value_or(std::string_view()), key_);
    if (!used) return tl::unexpected(ReadFault::garbage);
    return *used;
  }

 private:
  KeptFile usage_;
  Result<KeptFile> stat_;  // without it nothing is taken off
  std::string_view key_;
};

std::optional<OpenedMemory> open_group(const Host& host, const ResourceLimits& limits) {
  if (!limits.memory_bytes || !limits.memory_files) return std::nullopt;
  auto usage = host.open(limits.memory_files->usage);
  if (!usage) return std::nullopt;
  return OpenedMemory{
      std::make_unique<GroupMemory>(std::move(*usage), host.open(limits.memory_files->stat),
                                    limits.memory_files->reclaimable_key),
      *limits.memory_bytes, host.resolve(limits.memory_files->usage).string()};
}

}  // namespace

std::optional<std::int64_t> memory_used(std::string_view meminfo) {
  const auto total = meminfo_bytes(meminfo, "MemTotal:");
  const auto available = memory_available(meminfo);
  if (!total || !available || *available > *total) return std::nullopt;
  return *total - *available;
}

std::optional<std::int64_t> group_memory_used(std::string_view usage, std::string_view stat,
                                              std::string_view key) {
  const auto bytes = parse_integer(usage);
  if (!bytes || *bytes < 0) return std::nullopt;
  return std::max<std::int64_t>(*bytes - flat_value(stat, key).value_or(0), 0);
}

Result<OpenedMemory> open_memory(const Host& host, const ResourceLimits& limits) {
  if (auto group = open_group(host, limits)) return std::move(*group);
  auto meminfo = host.open(kMeminfo);
  if (!meminfo) return tl::unexpected(meminfo.error());
  const auto total = memory_total_bytes(host);
  const std::string path = host.resolve(kMeminfo).string();
  if (!total || *total == 0) {
    return fail(ErrorKind::format, path + " does not say what it should");
  }
  return OpenedMemory{std::make_unique<MachineMemory>(std::move(*meminfo)), *total, path};
}

}  // namespace codecarbon
