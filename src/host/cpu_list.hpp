#pragma once

#include <compare>
#include <optional>
#include <string_view>
#include <vector>

#include "host/host.hpp"

namespace codecarbon {

/// A set of logical processors, as the kernel lists them: "0-3,8-11". Never empty.
class CpuList {
 public:
  /// Missing when the text is no such list, or names no processor.
  static std::optional<CpuList> parse(std::string_view text);

  int count() const;
  bool contains(int processor) const;
  /// The highest of them.
  int last() const { return ranges_.back().last; }
  /// Those that are in both lists; missing when there are none.
  std::optional<CpuList> common(const CpuList& other) const;

  bool operator==(const CpuList&) const = default;

 private:
  struct Range {
    int first = 0;
    int last = 0;
    auto operator<=>(const Range&) const = default;
  };
  /// `ranges` may overlap and stand in any order; there is at least one.
  explicit CpuList(std::vector<Range> ranges);
  static std::optional<Range> parse_range(std::string_view text);

  std::vector<Range> ranges_;  // in order, apart from each other
};

/// The list in a file; missing when it cannot be read or holds none.
std::optional<CpuList> read_cpu_list(const Host& host, std::string_view path);

}  // namespace codecarbon
