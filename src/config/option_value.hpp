#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecarbon/options.hpp"

namespace codecarbon {

/// How values of options are written as text: text -> value -> text gives the same value.

template <class T>
struct Word {
  std::string_view text;
  T value;
};

/// The words for the values of a type; the first for a value is the one that is shown.
template <class T>
struct Words;

template <>
struct Words<bool> {
  static constexpr std::array<Word<bool>, 8> kAll{{{"true", true},
                                                   {"false", false},
                                                   {"1", true},
                                                   {"0", false},
                                                   {"yes", true},
                                                   {"no", false},
                                                   {"on", true},
                                                   {"off", false}}};
};

template <>
struct Words<CsvMode> {
  static constexpr std::array<Word<CsvMode>, 2> kAll{
      {{"append", CsvMode::append}, {"update", CsvMode::update}}};
};

template <>
struct Words<CsvColumns> {
  static constexpr std::array<Word<CsvColumns>, 2> kAll{
      {{"standard", CsvColumns::standard}, {"extended", CsvColumns::extended}}};
};

template <>
struct Words<TrackingMode> {
  static constexpr std::array<Word<TrackingMode>, 2> kAll{
      {{"machine", TrackingMode::machine}, {"process", TrackingMode::process}}};
};

template <>
struct Words<LogLevel> {
  static constexpr std::array<Word<LogLevel>, 7> kAll{{{"debug", LogLevel::debug},
                                                       {"info", LogLevel::info},
                                                       {"warning", LogLevel::warning},
                                                       {"error", LogLevel::error},
                                                       {"critical", LogLevel::critical},
                                                       {"warn", LogLevel::warning},
                                                       {"fatal", LogLevel::critical}}};
};

template <class T>
concept SpelledInWords = requires {
  Words<T>::kAll;
};

/// A finite decimal number, whatever the locale. Missing when the text is anything else.
std::optional<double> parse_number(std::string_view text);
/// A decimal number without a point. Missing when the text is anything else, or too large.
std::optional<int> parse_whole_number(std::string_view text);
/// `0, 1`, `[0, 1]` or `['a', "b"]`; `` and `[]` are a list of nothing. Missing when a bracket or
/// a quote has no partner or an item is empty.
std::optional<std::vector<std::string>> parse_list(std::string_view text);
/// A name in any case, or a level of Python's logging (0 to 50): what it lets through is let
/// through.
std::optional<LogLevel> parse_log_level(std::string_view text);

/// The index in `words` of `text`, blanks and case aside; missing when it is none of them.
std::optional<std::size_t> find_word(std::string_view text,
                                     std::span<const std::string_view> words);

std::string show_number(double value);
std::string show_list(const std::vector<std::string>& items);

/// The texts of `Words<T>`, in order.
template <SpelledInWords T>
constexpr auto word_texts() {
  std::array<std::string_view, Words<T>::kAll.size()> texts;
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = Words<T>::kAll[i].text;
  return texts;
}

template <class T>
std::optional<T> parse_value(std::string_view text) {
  if constexpr (std::is_same_v<T, std::string>) {
    return std::string(text);
  } else if constexpr (std::is_same_v<T, double>) {
    return parse_number(text);
  } else if constexpr (std::is_same_v<T, int>) {
    return parse_whole_number(text);
  } else if constexpr (std::is_same_v<T, LogLevel>) {
    return parse_log_level(text);
  } else if constexpr (SpelledInWords<T>) {
    const auto found = find_word(text, word_texts<T>());
    if (!found) return std::nullopt;
    return Words<T>::kAll[*found].value;
  } else {
    return parse_list(text);
  }
}

/// Empty for an enumeration's value that has no word.
template <class T>
std::string show_value(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<T, double>) {
    return show_number(value);
  } else if constexpr (std::is_same_v<T, int>) {
    return std::to_string(value);
  } else if constexpr (SpelledInWords<T>) {
    for (const auto& word : Words<T>::kAll) {
      if (word.value == value) return std::string(word.text);
    }
    return {};
  } else {
    return show_list(value);
  }
}

}  // namespace codecarbon
