#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "codecarbon/clock.hpp"

namespace codecarbon::rapl {

/// Two counters were read one, other, one. True when the other may be the same counter seen again:
/// it lies between the two readings of the first, across a wrap if there was one.
constexpr bool looks_the_same(std::int64_t before, std::int64_t other, std::int64_t after) {
  if (before <= after) return before <= other && other <= after;
  return other >= before || other <= after;
}

/// Some processors show one counter under several dies; summing them would double its energy. A
/// second die counts for nothing while it shows what the first shows. When it goes its own way, it
/// counts from the last moment at which the two were the same, and stays on its own for good.
///
/// Two views of one counter may differ for as long as it takes to update one after the other, so a
/// difference alone decides nothing. It does when it lasts, or when it is a good part of all that
/// was counted in a long time. Pure. All values in microjoules.
class Mirror {
 public:
  /// Longer than any update takes, even by a program that is held up in the middle of it.
  static constexpr Duration kUpdateTakes = std::chrono::milliseconds(200);
  static constexpr Duration kLongTime = std::chrono::seconds(1);
  static constexpr int kGoodPart = 10;  // one in ten

  Mirror(std::int64_t common, MonoTime now, std::optional<std::int64_t> range)
      : common_(common), same_at_(now), range_(range) {}

  bool apart() const { return apart_; }
  bool suspected() const { return differs_since_.has_value(); }
  /// Both show `value`.
  void seen_same(std::int64_t value, MonoTime now);
  /// The first shows `first` and the second `value`.
  void seen_different(std::int64_t first, std::int64_t value, MonoTime now);

  /// What the second die, which shows `value` now, has used of its own: nothing until it is known
  /// to be apart. Counts around the range like the counter itself.
  std::int64_t own(std::int64_t value) const { return apart_ ? moved(value) : 0; }

 private:
  std::int64_t moved(std::int64_t value) const;

  std::int64_t common_;
  MonoTime same_at_;
  std::optional<std::int64_t> range_;
  std::optional<MonoTime> differs_since_;
  bool apart_ = false;
};

/// One counter that stands for the first die and what a second one used of its own: its steps are
/// the sums of their steps, and it wraps where they wrap.
constexpr std::int64_t joined(std::int64_t first, std::int64_t own,
                              std::optional<std::int64_t> range) {
  const std::int64_t sum = first + own;
  return own != 0 && range && sum >= *range ? sum - *range : sum;
}

}  // namespace codecarbon::rapl
