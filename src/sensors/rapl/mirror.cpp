#include "sensors/rapl/mirror.hpp"

#include <algorithm>
#include <cstdlib>

namespace codecarbon::rapl {

std::int64_t Mirror::moved(std::int64_t value) const {
  const std::int64_t step = value - common_;
  return step < 0 && range_ ? step + *range_ : step;
}

void Mirror::seen_same(std::int64_t value, MonoTime now) {
  if (apart_) return;
  common_ = value;
  same_at_ = now;
  differs_since_.reset();
}

void Mirror::seen_different(std::int64_t first, std::int64_t value, MonoTime now) {
  if (apart_) return;
  if (!differs_since_) differs_since_ = now;
  const bool lasts = now - *differs_since_ >= kUpdateTakes;
  // An update that is under way is one of many in a long time, so it is a small part of their sum.
  const std::int64_t counted = std::max(moved(first), moved(value));
  const std::int64_t difference = std::abs(moved(first) - moved(value));
  const bool large = difference > counted / kGoodPart;
  apart_ = lasts || (large && now - same_at_ >= kLongTime);
}

}  // namespace codecarbon::rapl
