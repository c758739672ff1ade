#pragma once

// For tests: which threads are there.

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

namespace codecarbon {

/// How many threads of the engine this process has. Others, such as a sanitizer's, do not count.
inline std::size_t worker_threads() {
  std::size_t count = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "comm");
    std::string name;
    if (std::getline(file, name) && name == "codecarbon") ++count;
  }
  return count;
}

}  // namespace codecarbon
