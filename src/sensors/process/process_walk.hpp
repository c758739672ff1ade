#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/host.hpp"
#include "readings/process.hpp"
#include "sensors/process/part_use.hpp"
#include "sensors/process/process_table.hpp"
#include "sensors/process/process_tree.hpp"
#include "sensors/process/task_clock.hpp"

namespace codecarbon::process {

/// A look at all processes is not taken more often: it costs about 10 us a process.
inline constexpr Duration kShortestWalk = std::chrono::milliseconds(100);

/// The tracked processes by a walk of /proc. Their CPU time is that of a TaskClock where there is
/// one, else of the processes' own files.
class ProcessWalk final : public ProcessSource {
 public:
  struct Files {
    ProcessTable table;
    KeptFile stat;
    std::optional<KeptFile> meminfo;
    PartUse part;
  };
  /// `knows_numbers`: the numbers that drivers give mean the same processes here.
  ProcessWalk(Files files, ProcessTree tree, std::optional<TaskClock> clock, bool knows_numbers);

  ProcessReading read(MonoTime tick) override;
  std::optional<bool> owns(int pid) const override;
  Duration shortest_interval() const override { return kShortestWalk; }
  const std::string& description() const override { return description_; }

 private:
  struct OwnTime {
    Duration time;
    Duration error;
  };
  std::optional<OwnTime> read_own_time() const;
  std::int64_t own_memory() const;
  std::optional<CpuTotals> read_cpu(const OwnTime& own) const;
  std::optional<MemoryUse> read_memory() const;

  Files files_;
  ProcessTree tree_;
  std::optional<TaskClock> clock_;
  bool knows_numbers_;
  Duration tick_length_;
  std::int64_t page_size_;
  std::string description_;
};

}  // namespace codecarbon::process
