#include "text.hpp"

#include "config/option_table.hpp"
#include "errors.hpp"

namespace codecarbon::python {
namespace {

/// `text_of` gives the text of one item.
template <class Items, class TextOf>
StrList list_of(const Items& items, const TextOf& text_of) {
  nb::list list;
  for (const auto& item : items) list.append(to_str(text_of(item)));
  return StrList(std::move(list));
}

std::string encode(nb::handle str, const char* what_is_no_utf8) {
  const auto bytes =
      nb::steal<nb::bytes>(PyUnicode_AsEncodedString(str.ptr(), "utf-8", what_is_no_utf8));
  if (!bytes.is_valid()) throw nb::python_error();
  return {bytes.c_str(), bytes.size()};
}

}  // namespace

std::string to_text(nb::handle object) {
  if (!nb::isinstance<nb::str>(object)) {
    const nb::str message("expected a str, not {!r}");
    PyErr_SetObject(PyExc_TypeError, nb::object(message.attr("format")(object)).ptr());
    throw nb::python_error();
  }
  Py_ssize_t size = 0;
  if (const char* data = PyUnicode_AsUTF8AndSize(object.ptr(), &size)) {
    return {data, static_cast<std::size_t>(size)};
  }
  PyErr_Clear();
  return encode(object, "surrogateescape");
}

std::string to_name(const nb::str& name) {
  return encode(name, "replace");
}

std::vector<std::string> to_texts(nb::handle list) {
  std::vector<std::string> texts;
  for (const nb::handle item : list) texts.push_back(to_text(item));
  return texts;
}

nb::str to_str(std::string_view text) {
  auto str = nb::steal<nb::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  if (!str.is_valid()) throw nb::python_error();
  return str;
}

StrList to_list(std::span<const Cell> row) {
  return list_of(row, [](const Cell& cell) -> std::string_view { return cell.value; });
}

StrList to_list(std::span<const std::string> texts) {
  return list_of(texts, [](const std::string& text) -> std::string_view { return text; });
}

StrList to_list(std::span<const std::string_view> texts) {
  return list_of(texts, [](std::string_view text) { return text; });
}

Options to_options(const StrDict& texts) {
  Options options;
  for (const auto [name, text] : texts) {
    value_or_raise(set_option(options, to_text(name), to_text(text), "keyword"));
  }
  return options;
}

}  // namespace codecarbon::python
