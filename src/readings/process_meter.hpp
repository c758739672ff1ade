#pragma once

#include <optional>

#include "readings/process.hpp"
#include "readings/share.hpp"

namespace codecarbon {

/// What the tracked processes used from one reading to the next. Missing is unknown.
struct ProcessUse {
  MonoTime from{};
  MonoTime to{};
  std::optional<CpuUse> cpu{};
  std::optional<MemoryUse> memory{};  ///< the mean of both ends
  std::optional<CpuUse> part_cpu{};   ///< as in ProcessReading
  std::optional<MemoryUse> part_memory{};

  /// Of the whole machine's energy, or of that of the part that may be used.
  std::optional<Share> cpu_share(bool of_part = false) const {
    const auto& use = of_part ? part_cpu : cpu;
    return use ? codecarbon::cpu_share(*use) : std::nullopt;
  }
  std::optional<Share> memory_share(bool of_part = false) const {
    const auto& use = of_part ? part_memory : memory;
    return use ? codecarbon::memory_share(*use) : std::nullopt;
  }
};

/// Turns successive readings of the processes into what they used in between. Pure; one thread at a
/// time.
class ProcessMeter {
 public:
  /// Nothing for the first reading. CPU time is unknown where it fell or either end is unknown.
  std::optional<ProcessUse> advance(MonoTime at, const ProcessReading& reading);
  /// Whether a reading at `at` is worth its cost: the first, the second, and then one in
  /// `shortest`.
  bool is_due(MonoTime at, Duration shortest) const;
  /// When the newest reading was taken.
  std::optional<MonoTime> last() const { return last_ ? std::optional(last_->at) : std::nullopt; }
  /// What was used until the next reading is nobody's.
  void rebase();

 private:
  struct Taken {
    MonoTime at;
    ProcessReading reading;
  };
  std::optional<Taken> last_;
  bool had_use_ = false;
};

}  // namespace codecarbon
