#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "host/host.hpp"

namespace codecarbon {

/// A shared library that is loaded only if it is there. Immutable; thread-safe; unloaded with its
/// last copy.
class Library {
 public:
  /// Loads `soname` ("libnvidia-ml.so.1") the way the system finds libraries where the host is this
  /// machine; on a machine in a folder only what lies in usr/lib or usr/lib64 below it. Fails with
  /// missing_file when there is none, and with io when there is one that cannot be loaded.
  static Result<Library> load(const Host& host, std::string_view soname);

  /// The function of that name; null when the library has none.
  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }
  /// For a person.
  const std::string& name() const { return name_; }

 private:
  Library(std::shared_ptr<void> handle, std::string name)
      : handle_(std::move(handle)), name_(std::move(name)) {}
  void* symbol(const char* name) const;

  std::shared_ptr<void> handle_;
  std::string name_;
};

}  // namespace codecarbon
