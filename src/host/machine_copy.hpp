#pragma once
/// \file
/// For tests only: a fake machine that a test may change.

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "host/host.hpp"

namespace codecarbon::testing_support {

/// A private copy of a folder such as tests/machines/<name>, removed with this object. An empty
/// template makes an empty machine.
class MachineCopy {
 public:
  explicit MachineCopy(const std::filesystem::path& original = {}) {
    auto pattern = (std::filesystem::temp_directory_path() / "codecarbon-machine-XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
    std::filesystem::permissions(root_, std::filesystem::perms(0755));
    if (original.empty()) return;
    std::filesystem::copy(original, root_, std::filesystem::copy_options::recursive);
  }
  MachineCopy(const MachineCopy&) = delete;
  MachineCopy& operator=(const MachineCopy&) = delete;
  ~MachineCopy() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  /// Writes into the file, as a kernel file changes under an open descriptor.
  void write(std::string_view path, std::string_view content) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << content;
  }
  void write(std::string_view path, long long value) const {
    write(path, std::to_string(value) + "\n");
  }
  /// Puts another file in the place of this one.
  void replace(std::string_view path, std::string_view content) const {
    const std::string fresh = std::string(path) + ".new";
    write(fresh, content);
    std::filesystem::rename(root_ / fresh, root_ / path);
  }
  void remove(std::string_view path) const { std::filesystem::remove_all(root_ / path); }

  const std::filesystem::path& root() const { return root_; }
  Host host(std::shared_ptr<const Clock> clock = std::make_shared<SystemClock>()) const {
    return Host(root_, Environment{}, std::move(clock));
  }

 private:
  std::filesystem::path root_;
};

/// The folder of a fake machine of this project.
inline std::filesystem::path machine(std::string_view name) {
  return std::filesystem::path(CODECARBON_SOURCE_DIR) / "tests" / "machines" / name;
}

}  // namespace codecarbon::testing_support
