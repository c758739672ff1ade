#include "sinks/file_moves.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>

namespace codecarbon {
namespace {

namespace fs = std::filesystem;

constexpr int kMostBackups = 10'000;
constexpr int kMostScratches = 10'000;

/// EEXIST when `to` is there.
OrErrno<void> rename_to_free(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
  if (errno != EINVAL && errno != ENOSYS) return tl::unexpected(errno);
  // A file system that cannot do it in one step: nearly as good.
  if (::faccessat(AT_FDCWD, to.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
    return tl::unexpected(EEXIST);
  }
  if (::rename(from.c_str(), to.c_str()) != 0) return tl::unexpected(errno);
  return {};
}

struct Scratch {
  fs::path path;
  Fd fd;
};

fs::path scratch_beside(const fs::path& path, const std::string& mark) {
  return path.parent_path() / ("." + path.filename().string() + mark + ".new");
}

/// For whoever holds the lock of `path`: one name, so that what a killed process left is used up.
OrErrno<Scratch> scratch_under_lock(const fs::path& path) {
  fs::path scratch = scratch_beside(path, "");
  auto fd = create_file(scratch);
  if (!fd) return tl::unexpected(fd.error());
  return Scratch{std::move(scratch), std::move(*fd)};
}

/// For files without a lock: a name that no other process or thread uses. The number of the process
/// alone is not enough, because containers that share a folder count for themselves.
OrErrno<Scratch> scratch_of_our_own(const fs::path& path) {
  for (int number = 0; number < kMostScratches; ++number) {
    fs::path scratch = scratch_beside(path, fmt::format(".{}.{}", ::getpid(), number));
    auto fd = create_new_file(scratch);
    if (fd) return Scratch{std::move(scratch), std::move(*fd)};
    if (fd.error() != EEXIST) return tl::unexpected(fd.error());
  }
  return tl::unexpected(EEXIST);
}

OrErrno<void> copy_access(int from, int to) {
  struct stat status {};
  if (::fstat(from, &status) != 0) return tl::unexpected(errno);
  // The owner first: to change it clears special bits. Only root may give files away.
  [[maybe_unused]] const int refused = ::fchown(to, status.st_uid, status.st_gid);
  if (::fchmod(to, status.st_mode & 07777U) != 0) return tl::unexpected(errno);
  return {};
}

/// Fills a scratch file with `fill(fd)` and renames it to `path`; leaves no scratch file behind.
OrErrno<void> replace_with(const OrErrno<Scratch>& scratch, const fs::path& path,
                           const Fill& fill) {
  if (!scratch) return tl::unexpected(scratch.error());
  OrErrno<void> result = fill(scratch->fd.get());
  if (result && ::rename(scratch->path.c_str(), path.c_str()) != 0) result = tl::unexpected(errno);
  if (!result) ::unlink(scratch->path.c_str());
  return result;
}

}  // namespace

OrErrno<fs::path> move_to_backup(const fs::path& path) {
  const std::string base = path.string() + ".bak";
  for (int number = 0; number < kMostBackups; ++number) {
    const fs::path to = number == 0 ? base : base + "." + std::to_string(number);
    const auto moved = rename_to_free(path, to);
    if (moved) return to;
    if (moved.error() != EEXIST) return tl::unexpected(moved.error());
  }
  return tl::unexpected(EEXIST);
}

OrErrno<void> replace_content(const fs::path& path, std::string_view text, const FileCalls& calls) {
  if (const auto allowed = check_size_limit(text.size()); !allowed) return allowed;
  return replace_with(scratch_of_our_own(path), path,
                      [&](int fd) { return write_all(fd, text, calls); });
}

OrErrno<void> replace_under_lock(int fd, const fs::path& path, const Fill& fill) {
  return replace_with(scratch_under_lock(path), path, [&](int scratch) -> OrErrno<void> {
    if (const auto same = copy_access(fd, scratch); !same) return same;
    return fill(scratch);
  });
}

}  // namespace codecarbon
