#pragma once

#include "codecarbon/clock.hpp"

namespace codecarbon {

/// Makes the calling thread keep a beat of this period: exact wake-ups and, for periods of 10 ms
/// and less, precedence over ordinary threads. False when the period needs that and the system
/// refuses it: then the thread is as punctual as the machine is idle.
bool make_punctual(Duration period);

}  // namespace codecarbon
