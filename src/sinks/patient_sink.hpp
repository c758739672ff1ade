#pragma once

#include <chrono>

#include "codecarbon/sink.hpp"

namespace codecarbon {

/// For calls that somebody waits for, while what is not written now is tried again later.
constexpr std::chrono::milliseconds kShortPatience{100};
/// For what may be the last try.
constexpr std::chrono::milliseconds kLongPatience{3000};

/// A sink that may have to wait for other processes.
class PatientSink : public Sink {
 public:
  /// How long each call from now on may wait for others; after that it fails and leaves nothing
  /// behind.
  virtual void set_patience(std::chrono::milliseconds patience) = 0;
};

}  // namespace codecarbon
