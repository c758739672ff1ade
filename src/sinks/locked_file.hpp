#pragma once

#include <chrono>
#include <filesystem>

#include "base/fd.hpp"
#include "sinks/file_io.hpp"

namespace codecarbon {

/// A file that is open for reading and appending, and that no other process or thread that locks
/// has open at the same time. Unlocks when destroyed. A lock ends with its process.
class LockedFile {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  struct Failure {
    int code = 0;
    bool no_locks = false;  ///< the file system cannot lock at all
  };

  /// Opens `path`, making the file if need be, and locks it. What is locked is what `path` names
  /// when this returns, even when another process moves or replaces the file meanwhile. Waits for
  /// others until `give_up` (EWOULDBLOCK), but tries at least once.
  static tl::expected<LockedFile, Failure> open(const std::filesystem::path& path,
                                                const FileCalls& calls, Deadline give_up);
  /// The same, with the lock on another file, `lock_path`, which nobody ever moves.
  static tl::expected<LockedFile, Failure> open_behind(const std::filesystem::path& lock_path,
                                                       const std::filesystem::path& path,
                                                       const FileCalls& calls, Deadline give_up);

  LockedFile(LockedFile&&) = default;
  LockedFile& operator=(LockedFile&&) = default;
  ~LockedFile();

  int fd() const { return file_.get(); }
  /// True when `open` made the file.
  bool is_new() const { return is_new_; }

 private:
  LockedFile(Fd file, Fd lock) : file_(std::move(file)), lock_(std::move(lock)) {}

  Fd file_;
  Fd lock_;  ///< none when the file is its own lock
  bool is_new_ = false;
};

}  // namespace codecarbon
