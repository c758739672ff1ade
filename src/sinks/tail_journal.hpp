#pragma once

#include <filesystem>
#include <string_view>

#include "sinks/file_io.hpp"

namespace codecarbon {

/// Replaces the end of a file so that a process that is killed half-way leaves the old end or the
/// new one to the next writer, never a mixture: what is to stand there is first written to
/// `.<name>.tail` beside the file. Every call needs the file's lock. Guards against the death of
/// processes, not of the machine: nothing is flushed to the disk.
class TailJournal {
 public:
  explicit TailJournal(const std::filesystem::path& file);

  /// Makes `tail` what stands from `begin` to the end of the file. After a failure the file is as
  /// it was before.
  OrErrno<void> replace_tail(int fd, std::uint64_t begin, std::string_view tail,
                             const FileCalls& calls) const;
  /// Finishes what a killed process began. True if there was anything to finish.
  OrErrno<bool> replay(int fd, const FileCalls& calls) const;

 private:
  std::filesystem::path path_;
};

}  // namespace codecarbon
