#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "sinks/file_io.hpp"

namespace codecarbon {

/// Renames `path` to the first of `<path>.bak`, `.bak.1`, `.bak.2` ... that is free, and returns
/// it.
OrErrno<std::filesystem::path> move_to_backup(const std::filesystem::path& path);

/// Makes `text` the content of `path`: whoever opens it sees the old content or the new one, never
/// a part. Needs no lock: of several at the same time one content stays.
OrErrno<void> replace_content(const std::filesystem::path& path, std::string_view text,
                              const FileCalls& calls);

/// Writes the content of a file that is empty yet.
using Fill = std::function<OrErrno<void>(int fd)>;

/// Replaces the file that `fd` has open and `path` names by what `fill` writes; as atomic as
/// replace_content, but needs the file's lock. Keeps permissions and, if allowed, the owner. After
/// it `fd` is the old file, which no path names any more.
OrErrno<void> replace_under_lock(int fd, const std::filesystem::path& path, const Fill& fill);

}  // namespace codecarbon
