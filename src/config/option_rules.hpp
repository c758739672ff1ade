#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace codecarbon {

/// What a value must satisfy beyond its type. Each is a template argument of a row.

/// Every value of the type.
struct Anything {
  constexpr bool operator()(const auto&) const { return true; }
};

/// A number from low/per to high/per, ends included.
struct Between {
  long low;
  long high;
  long per = 1;
  constexpr bool operator()(double value) const {
    const auto scaled = value * static_cast<double>(per);
    return scaled >= static_cast<double>(low) && scaled <= static_cast<double>(high);
  }
};

/// UTF-8 of any length, lines too, but no NUL.
bool is_text(const std::string& value);
/// UTF-8 without control characters; may be empty.
bool is_line(const std::string& value);
/// A line that is not blank.
bool is_identifier(const std::string& value);
/// What a file system takes as a path: not empty, no NUL. Any other byte may be in a name.
bool is_path(const std::string& value);
/// A path that does not end like a folder.
bool is_file_path(const std::string& value);
/// The same, whose last part is a pattern as in name_pattern.hpp.
bool is_file_template(const std::string& value);
/// Two ASCII letters, or nothing.
bool is_two_letters(const std::string& value);
/// Each an index or an identifier such as GPU-3f1c, MIG-..., 0000:3b:00.0.
bool are_gpu_ids(const std::vector<std::string>& value);

}  // namespace codecarbon
