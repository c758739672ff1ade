#pragma once

#include <cstdint>

#include "codecarbon/clock.hpp"

namespace codecarbon {

/// When in its period a beat falls.
enum class Rhythm {
  even,       ///< at the same moment of each
  scattered,  ///< at another moment of each, spread evenly over many of them
};

/// The moments at which periodic work is due. Pure; one thread at a time.
class Beat {
 public:
  /// The next is one period from `now` on.
  void start(MonoTime now, Duration period, Rhythm rhythm);
  /// None until it is started again.
  void stop() { due_ = MonoTime::max(); }

  /// The next moment; MonoTime::max() for never.
  MonoTime due() const { return due_; }
  Duration period() const { return period_; }
  /// The work that was due at `due` ended at `finished`; without effect if the beat was started or
  /// stopped since. Moments that it missed are skipped, and the rhythm is kept.
  void served(MonoTime due, MonoTime finished);

 private:
  void schedule();

  Duration period_{};
  Rhythm rhythm_ = Rhythm::even;
  MonoTime even_{};  // the next moment of an even rhythm
  std::uint64_t count_ = 0;
  MonoTime due_ = MonoTime::max();
};

}  // namespace codecarbon
