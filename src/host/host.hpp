#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.hpp"
#include "codecarbon/clock.hpp"
#include "codecarbon/error.hpp"
#include "host/environment.hpp"

namespace codecarbon {

/// A file that is read again and again: opened once, then one pread a reading and no allocation.
/// One thread at a time.
class KeptFile {
 public:
  explicit KeptFile(Fd fd);
  /// Reads from the start into `buffer` and returns what was read (possibly nothing), or the
  /// errno of the failure. A file that does not fit is cut at the buffer's end.
  tl::expected<std::string_view, int> read(std::span<char> buffer) const;
  /// True when no name leads to this file any more: it was deleted, or another file was renamed
  /// over it. What it shows then will never change.
  bool orphaned() const;

 private:
  Fd fd_;
  bool of_kernel_;  // in sysfs or procfs, where a name always leads to the living file
};

/// The machine as this process sees it: files below a root (default "/"), environment and clock.
/// Paths are given as on a real machine ("sys/class/powercap", no leading slash needed).
/// Cheap to copy; immutable; thread-safe.
class Host {
 public:
  Host(std::filesystem::path root, Environment environment, std::shared_ptr<const Clock> clock);

  /// The whole content of a file of at most 4 MiB (longer ones are cut there).
  Result<std::string> read(std::string_view path) const;
  Result<KeptFile> open(std::string_view path) const;
  bool exists(std::string_view path) const;
  /// Names in a folder, sorted in natural order ("intel-rapl:2" before "intel-rapl:10");
  /// empty if there is no such folder.
  std::vector<std::string> list(std::string_view folder) const;
  /// Where `path` really is, for messages to a person.
  std::filesystem::path resolve(std::string_view path) const;

  const std::filesystem::path& root() const { return root_; }
  const Environment& environment() const { return environment_; }
  const Clock& clock() const { return *clock_; }
  const std::shared_ptr<const Clock>& shared_clock() const { return clock_; }

 private:
  std::filesystem::path root_;
  Environment environment_;
  std::shared_ptr<const Clock> clock_;
};

/// A whole number in text as kernel files hold it: blanks around it allowed, nothing else.
/// Missing when the text is empty, not a number, or does not fit.
std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace codecarbon
