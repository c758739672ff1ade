#include "host/host.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

namespace codecarbon {
namespace {

constexpr std::size_t kLargestFile = 4U << 20U;

Fd open_to_read(const std::filesystem::path& path) {
  return Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

bool is_of_kernel(const Fd& fd) {
  struct statfs where {};
  return ::fstatfs(fd.get(), &where) == 0 &&
         (where.f_type == SYSFS_MAGIC || where.f_type == PROC_SUPER_MAGIC);
}

tl::unexpected<Error> cannot_read(const std::filesystem::path& path, int error) {
  return fail(error == ENOENT ? ErrorKind::missing_file : ErrorKind::io,
              "cannot read " + path.string() + ": " + std::strerror(error));
}

/// "a10" after "a9": runs of digits compare by value.
bool natural_less(std::string_view a, std::string_view b) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const auto run = [&](std::string_view text, std::size_t from) {
        std::size_t end = from;
        while (end < text.size() && digit(text[end])) ++end;
        return text.substr(from, end - from);
      };
      const auto left = run(a, i);
      const auto right = run(b, j);
      const auto value = [](std::string_view digits) {
        const auto first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
        return digits.substr(first);
      };
      if (value(left).size() != value(right).size()) {
        return value(left).size() < value(right).size();
      }
      if (value(left) != value(right)) return value(left) < value(right);
      i += left.size();
      j += right.size();
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

}  // namespace

KeptFile::KeptFile(Fd fd) : fd_(std::move(fd)), of_kernel_(is_of_kernel(fd_)) {}

tl::expected<std::string_view, int> KeptFile::read(std::span<char> buffer) const {
  const ssize_t count = ::pread(fd_.get(), buffer.data(), buffer.size(), 0);
  if (count < 0) return tl::unexpected<int>(errno);
  return std::string_view(buffer.data(), static_cast<std::size_t>(count));
}

bool KeptFile::orphaned() const {
  struct stat status {};
  return !of_kernel_ && ::fstat(fd_.get(), &status) == 0 && status.st_nlink == 0;
}

Host::Host(std::filesystem::path root, Environment environment, std::shared_ptr<const Clock> clock)
    : root_(std::move(root)), environment_(std::move(environment)), clock_(std::move(clock)) {}

std::filesystem::path Host::resolve(std::string_view path) const {
  while (path.starts_with('/')) path.remove_prefix(1);
  return root_ / path;
}

Result<std::string> Host::read(std::string_view path) const {
  const auto where = resolve(path);
  const Fd fd = open_to_read(where);
  if (!fd) return cannot_read(where, errno);
  std::string content;
  char block[16384];
  while (content.size() < kLargestFile) {
    const ssize_t count = ::read(fd.get(), block, sizeof block);
    if (count < 0) return cannot_read(where, errno);
    if (count == 0) break;
    content.append(block, static_cast<std::size_t>(count));
  }
  return content;
}

Result<KeptFile> Host::open(std::string_view path) const {
  const auto where = resolve(path);
  Fd fd = open_to_read(where);
  if (!fd) return cannot_read(where, errno);
  return KeptFile(std::move(fd));
}

bool Host::exists(std::string_view path) const {
  return ::access(resolve(path).c_str(), F_OK) == 0;
}

std::vector<std::string> Host::list(std::string_view folder) const {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(resolve(folder), error), end; entry != end;
       entry.increment(error)) {
    if (error) break;
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end(), natural_less);
  return names;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace codecarbon
