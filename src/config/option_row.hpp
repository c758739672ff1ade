#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/text.hpp"
#include "config/option_rules.hpp"
#include "config/option_table.hpp"
#include "config/option_value.hpp"

namespace codecarbon {

/// What makes one line of option_table.cpp a whole option.

/// A text that can be a template argument.
template <std::size_t N>
struct FixedText {
  char bytes[N];
  consteval FixedText(const char (&text)[N]) { std::copy_n(text, N, bytes); }
  constexpr std::string_view view() const { return {bytes, N - 1}; }
};

template <class T>
struct FieldOf;
template <class T>
struct FieldOf<std::optional<T> Options::*> {
  using Value = T;
};
template <auto field>
using FieldValue = typename FieldOf<std::remove_const_t<decltype(field)>>::Value;

/// The word that was probably meant, for types that are spelled in words.
template <class T>
std::optional<std::string_view> near_miss(std::string_view text) {
  if constexpr (SpelledInWords<T>) {
    return closest(trimmed(text), word_texts<T>());
  } else {
    return std::nullopt;
  }
}

template <class T, class Rule>
bool is_acceptable(const T& value, const Rule& rule) {
  if constexpr (SpelledInWords<T>) {
    return !show_value(value).empty() && rule(value);
  } else {
    return rule(value);
  }
}

/// The functions of one option. `name` is its row's, found again when there is something to say.
template <FixedText name, auto field, auto rule>
struct OptionCode {
  using Value = FieldValue<field>;

  static Acceptance set(Options& options, std::string_view text) {
    auto value = parse_value<Value>(text);
    if (!value || !is_acceptable(*value, rule)) {
      return not_accepted(near_miss<Value>(text));
    }
    options.*field = std::move(*value);
    return {};
  }

  static Acceptance check(const Options& options) {
    const auto& value = options.*field;
    if (!value || is_acceptable(*value, rule)) return {};
    return not_accepted(std::nullopt);
  }

  static bool is_set(const Options& options) { return (options.*field).has_value(); }
  static std::string show(const Options& options) {
    const auto& value = options.*field;
    return value ? show_value(*value) : std::string();
  }

 private:
  static tl::unexpected<std::string> not_accepted(std::optional<std::string_view> meant) {
    std::string reason(find_option(name.view())->accepted);
    if (meant) reason += "; did you mean " + in_quotes(*meant) + "?";
    return tl::unexpected(std::move(reason));
  }
};

/// What a person reads of an option.
struct OptionText {
  std::string_view placeholder;
  std::string_view default_text;
  std::string_view accepted;
  std::string_view help;
};

template <FixedText name, auto field, auto rule = Anything{}>
constexpr OptionRow option(std::string_view section, const OptionText& text) {
  using Code = OptionCode<name, field, rule>;
  return {.name = name.view(),
          .placeholder = text.placeholder,
          .default_text = text.default_text,
          .accepted = text.accepted,
          .help = text.help,
          .section = section,
          .is_boolean = std::is_same_v<typename Code::Value, bool>,
          .set = &Code::set,
          .check = &Code::check,
          .is_set = &Code::is_set,
          .show = &Code::show};
}

/// A yes/no option: the words for it are always the same.
template <FixedText name, auto field>
constexpr OptionRow yes_or_no(std::string_view section, std::string_view default_text,
                              std::string_view help) {
  return option<name, field>(section,
                             {"", default_text, "true or false (also 1/0, yes/no, on/off)", help});
}

}  // namespace codecarbon
