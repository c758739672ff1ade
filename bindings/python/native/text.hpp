#pragma once
/// \file
/// Text and rows on their way over the border. All functions need the interpreter lock.

#include <nanobind/nanobind.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecarbon/options.hpp"
#include "report/row.hpp"

namespace codecarbon::python {

namespace nb = nanobind;

using StrList = nb::typed<nb::list, nb::str>;
using StrDict = nb::typed<nb::dict, nb::str, nb::str>;

/// UTF-8. Bytes of a file name that Python could not decode become themselves again. TypeError when
/// `object` is no str, UnicodeEncodeError when it holds what UTF-8 cannot.
std::string to_text(nb::handle object);
std::vector<std::string> to_texts(nb::handle list);
/// The same for a name that is to be read back as UTF-8 by anybody: what is none of it becomes "?".
std::string to_name(const nb::str& name);

/// What is no UTF-8 is replaced by U+FFFD: a name that the system made up must not be an exception.
nb::str to_str(std::string_view text);
StrList to_list(std::span<const Cell> row);
StrList to_list(std::span<const std::string> texts);
StrList to_list(std::span<const std::string_view> texts);

/// Sets each option by its name. Raises like `raise` for what is not accepted.
Options to_options(const StrDict& texts);

}  // namespace codecarbon::python
