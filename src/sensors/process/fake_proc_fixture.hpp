#pragma once
/// \file
/// For tests only: a machine whose processes a script moves on.

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>

#include "host/machine_copy.hpp"

namespace codecarbon::testing_support {

/// A /proc of its own, without processes at first; with `original`, that of a copy of this fake
/// machine. All times are in ticks of 10 ms.
class FakeProc {
 public:
  explicit FakeProc(const std::filesystem::path& original = {}) : copy(original) {
    if (!original.empty()) return;
    write_machine(0, 0);
    copy.write("proc/meminfo",
               "MemTotal:     1048576 kB\nMemFree:  1 kB\nMemAvailable:  524288 kB\n");
  }
  /// `children` is what the process's descendants used that ended and were waited for.
  void write(int pid, int parent, std::int64_t self, std::int64_t children) const {
    copy.write(fmt::format("proc/{}/stat", pid), stat_line(pid, parent, self, children));
  }
  void end(int pid) const { copy.remove(fmt::format("proc/{}", pid)); }
  /// What all processors have been busy for, and how long they have been there.
  void write_machine(std::int64_t busy, std::int64_t total) const {
    copy.write("proc/stat", fmt::format("cpu  {} 0 0 {} 0 0 0 0 0 0\n", busy, total - busy));
  }
  /// Whoever looks from now on is this process.
  void be(int pid) const { copy.write("proc/self/stat", stat_line(pid, 1, 0, 0)); }

  MachineCopy copy;

 private:
  static std::string stat_line(int pid, int parent, std::int64_t self, std::int64_t children) {
    return fmt::format("{} (a) b) R {} 1 1 0 -1 0 0 0 0 0 {} 0 {} 0 20 0 1 0 5 9999 {} 0 0\n", pid,
                       parent, self, children, 256);
  }
};

}  // namespace codecarbon::testing_support
