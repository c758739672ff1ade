#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "codecarbon/clock.hpp"
#include "codecarbon/units.hpp"

namespace codecarbon::simulated {

__extension__ typedef __int128 Wide;

/// A quantity over machine time, never negative, in whole numbers of some unit (microwatts,
/// millionths, bytes). A moment before zero counts as zero. Integrals are exact integer arithmetic,
/// so that whoever asks, in whatever steps, gets parts that sum to the whole.
/// Values up to 1e15. Immutable; cheap to copy; thread-safe.
class Profile {
 public:
  struct Step {
    Duration from;
    std::int64_t value;
  };

  /// Always zero.
  Profile() : Profile(constant(0)) {}
  static Profile constant(std::int64_t value);
  /// Each value holds until the next step. At least one step; the first is at zero, the others
  /// ascend.
  static Profile steps(const std::vector<Step>& steps);
  /// A straight line, then `to` for ever. `over` is positive.
  static Profile ramp(std::int64_t from, std::int64_t to, Duration over);
  /// Each period begins with `high` for `high_for`, which is at most the period. It is positive.
  static Profile square(std::int64_t low, std::int64_t high, Duration period, Duration high_for);
  /// The beginning of `profile` over and over. `every` is positive.
  static Profile repeat(Profile profile, Duration every);
  static Profile sum(std::vector<Profile> terms);

  std::int64_t at(Duration t) const;
  /// Value x nanoseconds over [0, t).
  Wide integral(Duration t) const;
  /// The mean over [from, to), rounded down; the value at `to` if that is no time at all.
  std::int64_t mean(Duration from, Duration to) const;
  /// Never more than this (a sum of peaks where terms are summed).
  std::int64_t peak() const;

  class Shape;

 private:
  explicit Profile(std::shared_ptr<const Shape> shape) : shape_(std::move(shape)) {}
  std::shared_ptr<const Shape> shape_;
};

/// The whole microjoules that a power in microwatts has given over [0, t), rounded down once, so
/// that the energy of any stretch is the exact difference of two of these.
Wide energy_uj_until(const Profile& power, Duration t);

}  // namespace codecarbon::simulated
