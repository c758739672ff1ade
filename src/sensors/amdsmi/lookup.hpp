#pragma once

#include <optional>
#include <span>

#include "host/library.hpp"
#include "sensors/amdsmi/abi.hpp"

namespace codecarbon::amdsmi {

/// The first of `names` that is there.
Result<Library> load_first(const Host& host, std::span<const char* const> names);

/// Looks functions up and remembers the first one that is needed and not there.
class Lookup {
 public:
  explicit Lookup(const Library& library) : library_(library) {}

  template <class Function>
  void need(Function*& function, const char* name) {
    function = library_.function<Function>(name);
    if (function == nullptr && missing_ == nullptr) missing_ = name;
  }
  template <class Function>
  void want(Function*& function, const char* name) {
    function = library_.function<Function>(name);
  }
  std::optional<Error> problem() const {
    if (missing_ == nullptr) return std::nullopt;
    return Error{ErrorKind::io, library_.name() + " is too old: it has no " + missing_};
  }

 private:
  const Library& library_;
  const char* missing_ = nullptr;
};

/// Why a library gives nothing that answered `status` when it was started.
Error refused(const Library& library, abi::Status status);

}  // namespace codecarbon::amdsmi
