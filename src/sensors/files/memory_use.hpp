#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "host/host.hpp"
#include "host/limits.hpp"
#include "readings/reading.hpp"

namespace codecarbon {

/// Memory in use by /proc/meminfo: what is fitted less what programs could still have. Missing when
/// the text does not say both.
std::optional<std::int64_t> memory_used(std::string_view meminfo);

/// Memory in use by a control group: `usage` in bytes less the page cache that the kernel drops
/// when memory is wanted, which stands in `stat` at `key`. Missing when `usage` is no number; where
/// `stat` does not say, nothing can be dropped.
std::optional<std::int64_t> group_memory_used(std::string_view usage, std::string_view stat,
                                              std::string_view key);

/// Where memory in use is read. One thread at a time; reads kept files and does not allocate.
class MemorySource {
 public:
  virtual ~MemorySource() = default;
  /// Bytes.
  virtual tl::expected<std::int64_t, ReadFault> read() const = 0;
};

/// A source, what it is a part of, and the file it reads, for a person.
struct OpenedMemory {
  std::unique_ptr<MemorySource> source;
  std::int64_t total = 0;  ///< bytes; more than 0
  std::string description;
};

/// The control group's memory against its limit where both are known, else that of the machine.
/// Fails where /proc/meminfo says nothing.
Result<OpenedMemory> open_memory(const Host& host, const ResourceLimits& limits);

}  // namespace codecarbon
