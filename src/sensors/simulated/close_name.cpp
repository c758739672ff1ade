#include "sensors/simulated/close_name.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace codecarbon::simulated {
namespace {

constexpr std::size_t kMostSlips = 2;

/// Insertions, deletions and changes that lead from one word to the other.
std::size_t slips(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view close_name(std::string_view wrong, std::span<const std::string_view> names) {
  std::string_view closest;
  std::size_t fewest = kMostSlips + 1;
  for (const std::string_view name : names) {
    if (wrong.size() > name.size() + kMostSlips) continue;
    const std::size_t count = slips(wrong, name);
    if (count < fewest && 2 * count < name.size()) {
      fewest = count;
      closest = name;
    }
  }
  return closest;
}

}  // namespace codecarbon::simulated
