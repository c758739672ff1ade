#include "config/sources.hpp"

#include <nanobind/nanobind.h>

#include <filesystem>
#include <span>
#include <system_error>

#include "errors.hpp"
#include "gil.hpp"
#include "parts.hpp"
#include "text.hpp"

namespace codecarbon::python {
namespace {

using SourceDict = nb::typed<nb::dict, nb::str, nb::typed<nb::tuple, nb::str, nb::str>>;

SourceDict to_dict(const Source& source) {
  nb::dict dict;
  for (const auto& [name, found] : source) {
    dict[to_str(name)] = nb::make_tuple(to_str(found.text), to_str(found.origin));
  }
  return SourceDict(std::move(dict));
}

nb::typed<nb::list, SourceDict> sources() {
  const auto all = value_or_raise(without_lock([] {
    std::error_code gone;
    return gather_sources(Environment::of_process(), std::filesystem::current_path(gone));
  }));
  nb::list list;
  // The last are the defaults.
  for (const Source& source : std::span(all).first(all.size() - 1)) list.append(to_dict(source));
  return nb::typed<nb::list, SourceDict>(std::move(list));
}

constexpr const char* kSources =
    "What environment, ./.codecarbon.config and ~/.codecarbon.config say, in this order, the\n"
    "strongest first: by the name of the option, be it known or not, its text and where that is\n"
    "from. Raises as Tracker does for a file that cannot be read or is not INI.";

}  // namespace

void add_sources(nb::module_& module) {
  module.def("sources", &sources, kSources);
}

}  // namespace codecarbon::python
