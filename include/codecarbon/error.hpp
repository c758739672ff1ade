#pragma once
/// \file
/// Failure is a value here: what can fail returns a Result, and nothing is thrown.

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace codecarbon {

enum class ErrorKind {
  invalid_value,   ///< an option's value is outside what is accepted
  unknown_option,  ///< no option has this name
  missing_file,    ///< a file or folder that the user named is not there
  io,              ///< the operating system refused to read or write
  format,          ///< the content of a file is not what it should be
};

/// Why something failed, in words for the person who can mend it: what, where from, what is
/// accepted. One line, no final full stop.
struct Error {
  ErrorKind kind = ErrorKind::io;
  std::string message;
  std::string option{};  ///< the option that it is about, as in `Options`; empty: about none
};

template <class T>
using Result = tl::expected<T, Error>;

/// Success without a value, or why not.
using Status = Result<void>;

inline tl::unexpected<Error> fail(ErrorKind kind, std::string message, std::string option = {}) {
  return tl::unexpected<Error>(Error{kind, std::move(message), std::move(option)});
}

}  // namespace codecarbon
