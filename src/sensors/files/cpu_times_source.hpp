#pragma once

#include <memory>
#include <tl/expected.hpp>
#include <vector>

#include "host/cpu_times.hpp"
#include "host/host.hpp"
#include "host/limits.hpp"
#include "readings/reading.hpp"

namespace codecarbon {

/// Where successive times of the processors come from. One thread at a time; reads kept files and
/// does not allocate.
class CpuTimesSource {
 public:
  virtual ~CpuTimesSource() = default;
  virtual tl::expected<CpuTimes, ReadFault> read(MonoTime now) = 0;
};

/// All processors of the machine, or those of `list`, by /proc/stat.
class StatTimes final : public CpuTimesSource {
 public:
  explicit StatTimes(KeptFile stat);
  /// `size`: bytes of the file up to the line of the last processor of the list. Numbers may grow
  /// to twice their length from there.
  StatTimes(KeptFile stat, CpuList list, std::size_t size);
  tl::expected<CpuTimes, ReadFault> read(MonoTime now) override;

 private:
  KeptFile stat_;
  std::optional<CpuList> list_;
  std::vector<char> buffer_;
};

/// A control group that may use `processors`, by the CPU time that it has used since this source
/// was made. A quota lets it use no more than that in any time that is worth a reading.
class CgroupTimes final : public CpuTimesSource {
 public:
  CgroupTimes(KeptFile cpu_time, double processors, MonoTime start);
  tl::expected<CpuTimes, ReadFault> read(MonoTime now) override;

 private:
  KeptFile cpu_time_;
  double processors_;
  MonoTime start_;
};

/// A source, what it shows first, and the file it reads, for a person.
struct OpenedTimes {
  std::unique_ptr<CpuTimesSource> source;
  CpuTimes first;
  std::string description;
  Duration unit{};           ///< of its times
  bool of_all_only = false;  ///< of the whole machine, though a limit leaves a part of it
};

/// The best source for the part of the machine that `limits` leave: the control group's own time,
/// else its processors in /proc/stat, else the whole machine. Fails where /proc/stat says nothing.
Result<OpenedTimes> open_cpu_times(const Host& host, const ResourceLimits& limits);

}  // namespace codecarbon
