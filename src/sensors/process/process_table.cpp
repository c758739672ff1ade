#include "sensors/process/process_table.hpp"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/fd.hpp"

namespace codecarbon::process {
namespace {

bool is_number(std::string_view name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<ProcessStat> read_stat(int folder, std::string_view name) {
  constexpr std::string_view kFile = "/stat";
  std::array<char, 32> path{};
  if (name.size() + kFile.size() >= path.size()) return std::nullopt;
  std::memcpy(path.data(), name.data(), name.size());
  std::memcpy(path.data() + name.size(), kFile.data(), kFile.size());
  const Fd file(::openat(folder, path.data(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return std::nullopt;
  std::array<char, 1024> text;
  const ssize_t size = ::read(file.get(), text.data(), text.size());
  if (size <= 0) return std::nullopt;
  return parse_process_stat({text.data(), static_cast<std::size_t>(size)});
}

}  // namespace

Result<ProcessTable> ProcessTable::open(const Host& host) {
  const auto path = host.resolve("proc");
  DIR* const folder = ::opendir(path.c_str());
  if (folder == nullptr) {
    return fail(ErrorKind::io, "cannot read " + path.string() + ": " + std::strerror(errno));
  }
  return ProcessTable(folder);
}

std::span<ProcessStat> ProcessTable::read() {
  processes_.clear();
  ::rewinddir(folder_.get());
  while (const dirent* entry = ::readdir(folder_.get())) {
    if (!is_number(entry->d_name)) continue;
    if (const auto stat = read_stat(::dirfd(folder_.get()), entry->d_name)) {
      processes_.push_back(*stat);
    }
  }
  return processes_;
}

}  // namespace codecarbon::process
