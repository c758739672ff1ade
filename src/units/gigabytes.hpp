#pragma once

namespace codecarbon {

/// What memory is told in, in rows and machine files: 2^30 bytes.
inline constexpr double kBytesPerGigabyte = 1024.0 * 1024.0 * 1024.0;

constexpr double gigabytes(double bytes) {
  return bytes / kBytesPerGigabyte;
}

}  // namespace codecarbon
