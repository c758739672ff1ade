#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tl/expected.hpp>

#include "base/fd.hpp"

namespace codecarbon::perf {

/// One event of an event source of the kernel, counted on one processor for all programs.
struct Event {
  std::uint32_t type = 0;    ///< the number of the event source
  std::uint64_t config = 0;  ///< which of its events
  int processor = 0;
};

/// The two calls that counting takes. Failures are errno values. Thread-safe.
class Kernel {
 public:
  virtual ~Kernel() = default;
  /// Starts counting. `leader` is the descriptor of the first event of a group, read together with
  /// it, or -1 for the first one itself.
  virtual tl::expected<Fd, int> open(const Event& event, int leader) const = 0;
  /// Reads a whole group through its leader: the number of events, then their counts in the order
  /// in which they were opened. Returns how many words were filled. Does not allocate.
  virtual tl::expected<std::size_t, int> read(int leader, std::span<std::uint64_t> words) const = 0;
};

/// The running kernel.
std::shared_ptr<const Kernel> running_kernel();

}  // namespace codecarbon::perf
