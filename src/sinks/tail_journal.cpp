#include "sinks/tail_journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include "base/fnv1a.hpp"

namespace codecarbon {
namespace {

constexpr std::array<char, 8> kMagic{'c', 'c', 't', 'a', 'i', 'l', '0', '1'};

/// What a journal begins with; the new tail follows.
struct Head {
  std::array<char, 8> magic = kMagic;
  std::uint64_t inode = 0;  ///< of the file: a journal of another file of this name is void
  std::uint64_t begin = 0;
  std::uint64_t old_size = 0;
  std::uint64_t tail_size = 0;
  std::uint64_t checksum = 0;  ///< of all the rest: a half-written journal is void

  std::uint64_t new_size() const { return begin + tail_size; }
};

struct Entry {
  Head head;
  std::string tail;
};

std::string bytes_of(const Head& head) {
  std::string bytes(sizeof head, '\0');
  std::memcpy(bytes.data(), &head, sizeof head);
  return bytes;
}

std::uint64_t checksum_of(Head head, std::string_view tail) {
  head.checksum = 0;
  return fnv1a(tail, fnv1a(bytes_of(head)));
}

std::optional<Entry> parse(std::string_view bytes) {
  Entry entry;
  if (bytes.size() < sizeof entry.head) return std::nullopt;
  std::memcpy(&entry.head, bytes.data(), sizeof entry.head);
  entry.tail = bytes.substr(sizeof entry.head);
  const bool valid = entry.head.magic == kMagic && entry.head.tail_size == entry.tail.size() &&
                     entry.head.checksum == checksum_of(entry.head, entry.tail);
  return valid ? std::optional(entry) : std::nullopt;
}

OrErrno<void> overwrite(int fd, std::uint64_t begin, std::string_view text,
                        const FileCalls& calls) {
  // The descriptor appends; for this it must write where it is told.
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || ::fcntl(fd, F_SETFL, flags & ~O_APPEND) != 0) return tl::unexpected(errno);
  OrErrno<void> result;
  if (::lseek(fd, static_cast<off_t>(begin), SEEK_SET) < 0) {
    result = tl::unexpected(errno);
  } else {
    result = write_all(fd, text, calls);
  }
  ::fcntl(fd, F_SETFL, flags);
  return result;
}

OrErrno<void> put_tail(int fd, const Entry& entry, const FileCalls& calls) {
  if (const auto put = overwrite(fd, entry.head.begin, entry.tail, calls); !put) return put;
  return cut_file(fd, entry.head.new_size());
}

OrErrno<void> save(const std::filesystem::path& path, const Entry& entry, const FileCalls& calls) {
  const auto fd = create_file(path);
  if (!fd) return tl::unexpected(fd.error());
  return write_all(fd->get(), bytes_of(entry.head) + entry.tail, calls);
}

OrErrno<Entry> make_entry(int fd, std::uint64_t begin, std::string_view tail) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return tl::unexpected(errno);
  Entry entry;
  entry.head.inode = status.st_ino;
  entry.head.begin = begin;
  entry.head.old_size = static_cast<std::uint64_t>(status.st_size);
  entry.head.tail_size = tail.size();
  entry.head.checksum = checksum_of(entry.head, tail);
  entry.tail = tail;
  return entry;
}

/// Whether the file is in one of the states that a killed `put_tail` leaves. If not, somebody who
/// knows nothing of locks and journals wrote to it since.
bool applies_to(const Entry& entry, const struct stat& status) {
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t low = std::min(entry.head.old_size, entry.head.new_size());
  const std::uint64_t high = std::max(entry.head.old_size, entry.head.new_size());
  return status.st_ino == entry.head.inode && size >= low && size <= high;
}

}  // namespace

TailJournal::TailJournal(const std::filesystem::path& file)
    : path_(file.parent_path() / ("." + file.filename().string() + ".tail")) {}

OrErrno<void> TailJournal::replace_tail(int fd, std::uint64_t begin, std::string_view tail,
                                        const FileCalls& calls) const {
  if (const auto allowed = check_size_limit(begin + tail.size()); !allowed) return allowed;
  const auto entry = make_entry(fd, begin, tail);
  if (!entry) return tl::unexpected(entry.error());
  const auto old_tail = read_range(fd, begin, entry->head.old_size - begin);
  if (!old_tail) return tl::unexpected(old_tail.error());

  auto result = save(path_, *entry, calls);
  if (result) {
    result = put_tail(fd, *entry, calls);
    if (!result &&
        (!overwrite(fd, begin, *old_tail, calls) || !cut_file(fd, entry->head.old_size))) {
      return result;  // the journal stays: the next writer puts it right
    }
  }
  ::unlink(path_.c_str());
  return result;
}

OrErrno<bool> TailJournal::replay(int fd, const FileCalls& calls) const {
  const Fd journal(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!journal && errno == ENOENT) return false;
  if (!journal) return tl::unexpected(errno);
  struct stat status {};
  if (::fstat(fd, &status) != 0) return tl::unexpected(errno);
  const auto size = file_size(journal.get());
  if (!size) return tl::unexpected(size.error());
  const auto bytes = read_range(journal.get(), 0, *size);
  if (!bytes) return tl::unexpected(bytes.error());

  const auto entry = parse(*bytes);
  const bool valid = entry && applies_to(*entry, status);
  if (valid) {
    if (const auto put = put_tail(fd, *entry, calls); !put) return tl::unexpected(put.error());
  }
  ::unlink(path_.c_str());
  return valid;
}

}  // namespace codecarbon
