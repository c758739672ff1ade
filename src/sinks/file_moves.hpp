#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "sinks/file_io.hpp"
#include "sinks/row_search.hpp"

namespace codecarbon {

/// Renames `path` to the first of `<path>.bak`, `.bak.1`, `.bak.2` ... that is free, and returns
/// it.
OrErrno<std::filesystem::path> move_to_backup(const std::filesystem::path& path);

/// Makes `text` the content of `path`: whoever opens it sees the old content or the new one, never
/// a part. Needs no lock: of several at the same time one content stays.
OrErrno<void> replace_content(const std::filesystem::path& path, std::string_view text,
                              const FileCalls& calls);

/// Replaces the file that `fd` has open and `path` names by `kept` parts of it, in their order, and
/// `text` after them; as atomic as replace_content, but needs the file's lock. Keeps permissions
/// and, if allowed, the owner. After it `fd` is the old file, which no path names any more.
OrErrno<void> replace_by_parts(int fd, const std::filesystem::path& path,
                               std::span<const ByteRange> kept, std::string_view text,
                               const FileCalls& calls);

}  // namespace codecarbon
