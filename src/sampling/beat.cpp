#include "sampling/beat.hpp"

namespace codecarbon {
namespace {

/// A part of the period for the beat of this number. Any sequence whose next value follows from the
/// last would tie the time to the next beat to the phase of this one, and so weigh some phases of a
/// load more than others; a hash of the number does not. (The finalizer of SplitMix64: Steele, Lea,
/// Flood 2014.)
Duration part_of(Duration period, std::uint64_t beat) {
  std::uint64_t mixed = beat * 0x9E3779B97F4A7C15U;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
  mixed ^= mixed >> 31U;
  const double fraction = static_cast<double>(mixed >> 11U) * 0x1p-53;
  return Duration(static_cast<std::int64_t>(static_cast<double>(period.count()) * fraction));
}

}  // namespace

void Beat::start(MonoTime now, Duration period, Rhythm rhythm) {
  period_ = period;
  rhythm_ = rhythm;
  even_ = now + period;
  schedule();
}

void Beat::served(MonoTime due, MonoTime finished) {
  if (due_ != due) return;
  even_ += period_;
  if (even_ <= finished) even_ += ((finished - even_) / period_ + 1) * period_;
  schedule();
}

void Beat::schedule() {
  due_ = even_;
  if (rhythm_ == Rhythm::scattered) due_ += part_of(period_, ++count_);
}

}  // namespace codecarbon
