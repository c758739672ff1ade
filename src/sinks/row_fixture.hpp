#pragma once

// For tests: rows that are hard to tell from parts of rows.

#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sinks/csv_text.hpp"

namespace codecarbon::testing {

inline std::string encode(const CsvRecord& record) {
  const std::vector<std::string_view> fields(record.begin(), record.end());
  return encode_csv(fields);
}

/// Rows of three fields; the texts in them may look like parts of rows, and hold the key.
inline CsvRecord any_row() {
  const auto text = rc::gen::suchThat(
      rc::gen::container<std::string>(rc::gen::element('k', ',', '"', '\n', 'x')),
      [](const std::string& some) { return std::count(some.begin(), some.end(), ',') < 2; });
  return {*text, *rc::gen::element<std::string>("kk", "xx", "k\"k", "k"), *text};
}

}  // namespace codecarbon::testing
