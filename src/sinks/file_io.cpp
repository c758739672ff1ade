#include "sinks/file_io.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace codecarbon {
namespace {

OrErrno<void> last_error() {
  return tl::unexpected(errno);
}

OrErrno<Fd> create(const std::filesystem::path& path, int how) {
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | how, 0666));
  if (!fd) return tl::unexpected(errno);
  return fd;
}

/// For file systems that cannot send.
OrErrno<void> copy_by_hand(int from, ByteRange range, int to, const FileCalls& calls) {
  std::array<char, 1U << 14U> buffer;
  while (range.begin < range.end) {
    const auto want = std::min<std::uint64_t>(buffer.size(), range.size());
    const auto block = read_into(from, range.begin, std::span(buffer).first(want));
    if (!block) return tl::unexpected(block.error());
    if (block->empty()) return tl::unexpected(EIO);
    if (const auto put = write_all(to, *block, calls); !put) return put;
    range.begin += block->size();
  }
  return {};
}

std::string_view remedy(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
      return "; free some space";
    case EFBIG:
      return "; raise the limit on the size of files (ulimit -f)";
    case ENOENT:
      return "; its folder is not there (any more)";
    case EACCES:
    case EPERM:
    case EROFS:
      return "; choose another output_dir or output_file, or allow writing there";
    case EWOULDBLOCK:
      return "; another process holds its lock";
    default:
      return "";
  }
}

}  // namespace

OrErrno<std::string_view> read_into(int fd, std::uint64_t begin, std::span<char> buffer) {
  std::size_t have = 0;
  while (have < buffer.size()) {
    const auto rest = buffer.subspan(have);
    const ssize_t got = ::pread(fd, rest.data(), rest.size(), static_cast<off_t>(begin + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return tl::unexpected(errno);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  return std::string_view(buffer.data(), have);
}

OrErrno<std::string> read_range(int fd, std::uint64_t begin, std::size_t size) {
  std::string text(size, '\0');
  const auto read = read_into(fd, begin, text);
  if (!read) return tl::unexpected(read.error());
  text.resize(read->size());
  return text;
}

OrErrno<void> write_all(int fd, std::string_view text, const FileCalls& calls) {
  while (!text.empty()) {
    const ssize_t written = calls.write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return last_error();
    if (written == 0) return tl::unexpected(ENOSPC);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

OrErrno<void> copy_range(int from, ByteRange range, int to, const FileCalls& calls) {
  while (range.begin < range.end) {
    auto at = static_cast<off_t>(range.begin);
    const ssize_t sent = calls.send(to, from, &at, range.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EINVAL || errno == ENOSYS)) {
      return copy_by_hand(from, range, to, calls);
    }
    if (sent < 0) return last_error();
    if (sent == 0) return tl::unexpected(EIO);
    range.begin += static_cast<std::uint64_t>(sent);
  }
  return {};
}

OrErrno<std::uint64_t> file_size(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return tl::unexpected(errno);
  return static_cast<std::uint64_t>(status.st_size);
}

OrErrno<void> cut_file(int fd, std::uint64_t size) {
  if (::ftruncate(fd, static_cast<off_t>(size)) != 0) return last_error();
  return {};
}

OrErrno<Fd> create_file(const std::filesystem::path& path) {
  return create(path, O_TRUNC | O_NOFOLLOW);
}

OrErrno<Fd> create_new_file(const std::filesystem::path& path) {
  return create(path, O_EXCL);
}

OrErrno<void> check_size_limit(std::uint64_t size) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  if (size > limit.rlim_cur) return tl::unexpected(EFBIG);
  return {};
}

tl::unexpected<Error> io_failure(std::string_view action, const std::filesystem::path& path,
                                 int code) {
  const std::string reason = std::generic_category().message(code);
  return fail(ErrorKind::io,
              fmt::format("cannot {} '{}': {}{}", action, path.string(), reason, remedy(code)));
}

}  // namespace codecarbon
