#include "sensors/rapl/rapl_probe.hpp"

#include <sched.h>

#include <algorithm>
#include <utility>

namespace codecarbon::rapl {
namespace {

constexpr int kLooks = 3;

// The processor updates all views of a counter within a microsecond. A program that plays a machine
// takes longer, and is given a chance to finish.
constexpr int kEagerTries = 8;
constexpr int kTries = 50;

enum class Likeness { same, different, unknown };

/// Compares `other` with the counter that showed `first` a moment ago, and moves `first` on.
/// `seen` is what the other one showed.
Likeness compare(NumberFile& file, std::int64_t& first, NumberFile& other, std::int64_t& seen,
                 int most_tries = kTries) {
  for (int tries = 0; tries < most_tries; ++tries) {
    if (tries >= kEagerTries) ::sched_yield();
    const auto between = other.read();
    const auto after = file.read();
    if (!between || !after) return Likeness::unknown;
    seen = *between;
    const std::int64_t before = std::exchange(first, *after);
    if (looks_the_same(before, seen, first)) return Likeness::same;
  }
  return Likeness::different;
}

}  // namespace

bool Channel::absorb(NumberFile& other, std::optional<std::int64_t> range, MonoTime now) {
  if (range != range_) return false;
  auto first = first_.read();
  std::int64_t seen = 0;
  Likeness likeness = first ? Likeness::same : Likeness::unknown;
  for (int look = 0; look < kLooks && likeness == Likeness::same; ++look) {
    likeness = compare(first_, *first, other, seen);
  }
  if (likeness == Likeness::different) return false;
  std::optional<Mirror> mirror;
  if (likeness == Likeness::same) mirror.emplace(seen, now, range_);
  others_.push_back({std::move(other), mirror});
  return true;
}

tl::expected<std::int64_t, ReadFault> Channel::own_part(Other& other, std::int64_t& first,
                                                        MonoTime now) {
  if (!other.mirror) {
    const auto value = other.file.read();
    if (!value) return value;
    other.mirror.emplace(*value, now, range_);
  }
  Mirror& mirror = *other.mirror;
  if (mirror.apart()) {
    const auto value = other.file.read();
    return value ? tl::expected<std::int64_t, ReadFault>(mirror.own(*value)) : value;
  }
  std::int64_t seen = 0;
  const int tries = mirror.suspected() ? kEagerTries : kTries;
  switch (compare(first_, first, other.file, seen, tries)) {
    case Likeness::same:
      mirror.seen_same(seen, now);
      break;
    case Likeness::different:
      mirror.seen_different(first, seen, now);
      break;
    case Likeness::unknown:
      break;
  }
  return mirror.own(seen);
}

tl::expected<std::int64_t, ReadFault> Channel::read(MonoTime now) {
  auto first = first_.read();
  if (!first || others_.empty()) return first;
  std::int64_t own = 0;
  for (Other& other : others_) {
    const auto part = own_part(other, *first, now);
    if (!part) return part;
    own = joined(own, *part, range_);
  }
  return joined(*first, own, range_);
}

RaplProbe::RaplProbe(SensorInfo sensor, Channel channel)
    : sensor_(std::move(sensor)), channel_(std::move(channel)) {}

void RaplProbe::read(MonoTime tick, std::span<Reading> readings) {
  readings[0] = {tick, channel_.read(tick)};
}

}  // namespace codecarbon::rapl
