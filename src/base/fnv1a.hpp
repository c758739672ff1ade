#pragma once

#include <cstdint>
#include <string_view>

namespace codecarbon {

inline constexpr std::uint64_t kFnv1aStart = 0xcbf29ce484222325U;

/// FNV-1a of `bytes`, going on from `hash`: against accidents, not against malice.
constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = kFnv1aStart) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace codecarbon
