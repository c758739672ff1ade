#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace codecarbon::fuzz {

/// What must hold whatever the input; ends the program where it does not, so that fuzzer and replay
/// both see it.
inline void require(bool condition) {
  if (!condition) std::abort();
}

/// A message for a person: there is one, on one line.
inline void require_message(std::string_view message) {
  require(!message.empty());
  require(message.find('\n') == std::string_view::npos);
}

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace codecarbon::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
