#pragma once

#include <utility>

#include "codecarbon/error.hpp"

namespace codecarbon::python {

/// Throws the Python exception that says this: ValueError for a value or a content, TypeError for
/// an unknown option, FileNotFoundError, OSError. The lock must be held.
[[noreturn]] void raise(const Error& error);

/// The value, or `raise`.
template <class T>
T value_or_raise(Result<T> result) {
  if (!result) raise(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace codecarbon::python
