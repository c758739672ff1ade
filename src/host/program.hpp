#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "codecarbon/clock.hpp"
#include "codecarbon/error.hpp"
#include "host/environment.hpp"

namespace codecarbon {

/// How much patience a program is given.
struct ProgramBounds {
  Duration most_time = std::chrono::seconds(1);
  std::size_t most_output = 1U << 20U;  ///< bytes
};

/// Runs `program` with `arguments` (its own name aside) and returns what it wrote to its output. It
/// has no input, its errors are dropped, and it sees the variables of `environment`. No shell, no
/// signal handlers; it and what it started are ended when it takes too long or writes too much,
/// which is a failure, as is an exit code other than 0. Blocks for at most the time given, plus
/// what the kernel takes to end a process. Thread-safe.
Result<std::string> output_of(const std::filesystem::path& program,
                              const std::vector<std::string>& arguments,
                              const Environment& environment, const ProgramBounds& bounds);

}  // namespace codecarbon
