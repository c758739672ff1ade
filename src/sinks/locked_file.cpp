#include "sinks/locked_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

namespace codecarbon {
namespace {

using std::chrono::microseconds;

constexpr int kFileFlags = O_RDWR | O_APPEND | O_CLOEXEC;

using Failure = LockedFile::Failure;
using Deadline = LockedFile::Deadline;

bool cannot_lock(int code) {
  return code == ENOLCK || code == EOPNOTSUPP || code == EINVAL || code == ENOSYS;
}

/// Never waits in the kernel: a holder that was stopped (SIGSTOP) must not stop everybody else.
tl::expected<void, Failure> lock(int fd, const FileCalls& calls, Deadline give_up) {
  for (microseconds pause(20);; pause = std::min(pause * 2, microseconds(1000))) {
    if (calls.lock(fd, LOCK_EX | LOCK_NB) == 0) return {};
    const int code = errno;
    if (code != EWOULDBLOCK && code != EINTR) {
      return tl::unexpected(Failure{code, cannot_lock(code)});
    }
    if (std::chrono::steady_clock::now() >= give_up) return tl::unexpected(Failure{EWOULDBLOCK});
    std::this_thread::sleep_for(pause);
  }
}

tl::expected<Fd, Failure> open_regular(const std::filesystem::path& path, int flags) {
  Fd fd(::open(path.c_str(), flags, 0666));
  if (!fd) return tl::unexpected(Failure{errno});
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return tl::unexpected(Failure{errno});
  if (!S_ISREG(status.st_mode)) return tl::unexpected(Failure{ENOTSUP});
  return fd;
}

struct Opened {
  Fd file;
  bool is_new;
};

/// Makes the file if there is none; a link to nowhere is a name for it.
tl::expected<Opened, Failure> open_or_make(const std::filesystem::path& path) {
  auto there = open_regular(path, kFileFlags);
  if (there) return Opened{std::move(*there), false};
  if (there.error().code != ENOENT) return tl::unexpected(there.error());
  auto made = open_regular(path, kFileFlags | O_CREAT);
  if (!made) return tl::unexpected(made.error());
  return Opened{std::move(*made), true};
}

bool still_names(const std::filesystem::path& path, int fd) {
  struct stat named {};
  struct stat opened {};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(fd, &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

}  // namespace

LockedFile::~LockedFile() {
  // Said aloud, because closing is not enough: a child that another thread forked meanwhile holds
  // the same open file and with it the lock.
  const int locked = lock_ ? lock_.get() : file_.get();
  if (locked >= 0) ::flock(locked, LOCK_UN);
}

tl::expected<LockedFile, Failure> LockedFile::open(const std::filesystem::path& path,
                                                   const FileCalls& calls, Deadline give_up) {
  for (;;) {
    auto opened = open_or_make(path);
    if (!opened) return tl::unexpected(opened.error());
    LockedFile locked(std::move(opened->file), Fd{});
    locked.is_new_ = opened->is_new;
    if (const auto got = lock(locked.fd(), calls, give_up); !got)
      return tl::unexpected(got.error());
    if (still_names(path, locked.fd())) return locked;
  }
}

tl::expected<LockedFile, Failure> LockedFile::open_behind(const std::filesystem::path& lock_path,
                                                          const std::filesystem::path& path,
                                                          const FileCalls& calls,
                                                          Deadline give_up) {
  auto lock_file = open_regular(lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW);
  if (!lock_file) return tl::unexpected(lock_file.error());
  LockedFile locked(Fd{}, std::move(*lock_file));
  if (const auto got = lock(locked.lock_.get(), calls, give_up); !got)
    return tl::unexpected(got.error());
  auto opened = open_or_make(path);
  if (!opened) return tl::unexpected(opened.error());
  locked.file_ = std::move(opened->file);
  locked.is_new_ = opened->is_new;
  return locked;
}

}  // namespace codecarbon
