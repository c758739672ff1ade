#include "host/cpu_list.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace codecarbon {
namespace {

/// Beyond what any kernel is built for (8192 today): so that garbage cannot overflow a sum.
constexpr std::int64_t kHighestProcessor = 1'000'000;

std::optional<int> processor_number(std::string_view text) {
  const auto number = parse_integer(text);
  if (!number || *number < 0 || *number > kHighestProcessor) return std::nullopt;
  return static_cast<int>(*number);
}

}  // namespace

CpuList::CpuList(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end());
  for (const Range& range : ranges) {
    if (!ranges_.empty() && range.first <= ranges_.back().last + 1) {
      ranges_.back().last = std::max(ranges_.back().last, range.last);
    } else {
      ranges_.push_back(range);
    }
  }
}

std::optional<CpuList::Range> CpuList::parse_range(std::string_view text) {
  const auto dash = text.find('-');
  const auto first = processor_number(text.substr(0, dash));
  const auto last =
      dash == std::string_view::npos ? first : processor_number(text.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return Range{*first, *last};
}

std::optional<CpuList> CpuList::parse(std::string_view text) {
  text = trimmed(text);
  std::vector<Range> ranges;
  while (!text.empty()) {
    const auto range = parse_range(take_until(text, ','));
    if (!range) return std::nullopt;
    ranges.push_back(*range);
  }
  return ranges.empty() ? std::nullopt : std::optional(CpuList(std::move(ranges)));
}

int CpuList::count() const {
  int count = 0;
  for (const Range& range : ranges_) count += range.last - range.first + 1;
  return count;
}

bool CpuList::contains(int processor) const {
  return std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& range) {
    return range.first <= processor && processor <= range.last;
  });
}

std::optional<CpuList> CpuList::common(const CpuList& other) const {
  std::vector<Range> ranges;
  for (const Range& mine : ranges_) {
    for (const Range& theirs : other.ranges_) {
      const Range both{std::max(mine.first, theirs.first), std::min(mine.last, theirs.last)};
      if (both.first <= both.last) ranges.push_back(both);
    }
  }
  return ranges.empty() ? std::nullopt : std::optional(CpuList(std::move(ranges)));
}

std::optional<CpuList> read_cpu_list(const Host& host, std::string_view path) {
  const auto text = host.read(path);
  return text ? CpuList::parse(*text) : std::nullopt;
}

}  // namespace codecarbon
