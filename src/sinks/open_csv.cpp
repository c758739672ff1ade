#include "sinks/open_csv.hpp"

#include <algorithm>
#include <cerrno>

#include "sinks/torn_row.hpp"

namespace codecarbon {
namespace {

/// Of the smallest pages there are; larger ones are multiples of it.
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kFirstTail = 1U << 16U;
constexpr std::uint64_t kLastTail = 1U << 24U;

/// Where the half-written row begins in the file.
OrErrno<std::optional<std::uint64_t>> find_torn_row(const OpenCsv& csv) {
  for (std::uint64_t reach = kFirstTail;; reach *= 16) {
    const std::uint64_t begin = csv.size - std::min(csv.size, reach);
    const auto tail = read_range(csv.file.fd(), begin, csv.size - begin);
    if (!tail) return tl::unexpected(tail.error());
    const auto torn = torn_row(*tail, csv.layout.columns());
    if (torn) return std::optional(begin + *torn);
    // A line end closes the last row, unless it is part of a text longer than what was read.
    if (begin == 0 || reach >= kLastTail) return std::optional<std::uint64_t>{};
    if (tail->back() == '\n' && reach > kFirstTail) return std::optional<std::uint64_t>{};
  }
}

}  // namespace

OrErrno<std::optional<std::string>> drop_torn_row(OpenCsv& csv, bool thorough) {
  if (csv.first_row == 0) return std::optional<std::string>{};
  const bool at_page = csv.size % kPage == 0;
  if (!at_page && !thorough) {
    const auto last = read_range(csv.file.fd(), csv.size - 1, 1);
    if (!last) return tl::unexpected(last.error());
    if (*last == "\n") return std::optional<std::string>{};
  }
  const auto torn = find_torn_row(csv);
  if (!torn) return tl::unexpected(torn.error());
  if (!*torn || **torn < csv.first_row) return std::optional<std::string>{};
  const std::uint64_t begin = **torn;
  auto text = read_range(csv.file.fd(), begin, csv.size - begin);
  if (!text) return tl::unexpected(text.error());
  if (!at_page && !is_open_text(*text)) return std::optional<std::string>{};
  if (const auto cut = cut_file(csv.file.fd(), begin); !cut) return tl::unexpected(cut.error());
  csv.size = begin;
  return std::optional(std::move(*text));
}

OrErrno<void> append_text(OpenCsv& csv, std::string text, const FileCalls& calls) {
  if (csv.size > 0) {
    const auto last = read_range(csv.file.fd(), csv.size - 1, 1);
    if (!last) return tl::unexpected(last.error());
    if (last->empty()) return tl::unexpected(EIO);
    text.insert(0, csv.layout.missing_line_end(last->front()));
  }
  if (const auto allowed = check_size_limit(csv.size + text.size()); !allowed) return allowed;
  const auto written = write_all(csv.file.fd(), text, calls);
  if (written) {
    csv.size += text.size();
    return written;
  }
  if (const auto cut = cut_file(csv.file.fd(), csv.size); !cut) return cut;
  return written;
}

}  // namespace codecarbon
