#pragma once

#include <sys/file.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "base/fd.hpp"
#include "codecarbon/error.hpp"

namespace codecarbon {

/// The calls that a file system may refuse at any time. Handed in, because no test can ask a real
/// one to refuse.
struct FileCalls {
  std::function<int(int fd, int operation)> lock = ::flock;
  std::function<ssize_t(int fd, const void* data, std::size_t size)> write = ::write;
  std::function<ssize_t(int to, int from, off_t* begin, std::size_t size)> send = ::sendfile;
};

/// Bytes [begin, end) of a file or text.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t size() const { return end - begin; }
  bool operator==(const ByteRange&) const = default;
};

/// Errno, or a value.
template <class T>
using OrErrno = tl::expected<T, int>;

/// Bytes [begin, begin + size) as far as the file has them.
OrErrno<std::string> read_range(int fd, std::uint64_t begin, std::size_t size);
/// The same into `buffer`, whose size says how many; for reading much in pieces.
OrErrno<std::string_view> read_into(int fd, std::uint64_t begin, std::span<char> buffer);
/// Writes everything where the descriptor stands, in one call if the system takes it. After a
/// failure a part may stand in the file.
OrErrno<void> write_all(int fd, std::string_view text, const FileCalls& calls);
/// Writes those bytes of `from` where `to` stands. EIO when `from` does not have them all.
OrErrno<void> copy_range(int from, ByteRange range, int to, const FileCalls& calls);
OrErrno<std::uint64_t> file_size(int fd);
OrErrno<void> cut_file(int fd, std::uint64_t size);

/// Creates a file for writing; EEXIST when there is anything of that name, be it a link.
OrErrno<Fd> create_new_file(const std::filesystem::path& path);

/// Creates or empties a file for writing; never follows a link, because the names that this is used
/// for are ours alone.
OrErrno<Fd> create_file(const std::filesystem::path& path);

/// EFBIG when a file of this size is more than the process is allowed: to write it would not fail
/// but end the process with a signal.
OrErrno<void> check_size_limit(std::uint64_t size);

/// "cannot append a row to '/data/emissions.csv': No space left on device; free some space".
tl::unexpected<Error> io_failure(std::string_view action, const std::filesystem::path& path,
                                 int code);

}  // namespace codecarbon
