#include "config/option_rules.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "config/name_pattern.hpp"

namespace codecarbon {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_alphanumeric(char c) {
  return is_letter(c) || (c >= '0' && c <= '9');
}
bool is_control(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code < 0x20U || code == 0x7FU;
}

std::string_view file_name_of(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

bool is_gpu_id(const std::string& id) {
  const auto allowed = [](char c) {
    return is_alphanumeric(c) || c == '-' || c == '_' || c == '.' || c == '/' || c == ':';
  };
  return !id.empty() && is_alphanumeric(id.front()) && std::all_of(id.begin(), id.end(), allowed);
}

bool all_letters(const std::string& value) {
  return std::all_of(value.begin(), value.end(), is_letter);
}

}  // namespace

bool is_text(const std::string& value) {
  return value.find('\0') == std::string::npos && is_utf8(value);
}

bool is_line(const std::string& value) {
  return std::none_of(value.begin(), value.end(), is_control) && is_utf8(value);
}

bool is_identifier(const std::string& value) {
  return is_line(value) && !trimmed(value).empty();
}

bool is_path(const std::string& value) {
  return !value.empty() && value.find('\0') == std::string::npos;
}

bool is_file_path(const std::string& value) {
  const auto name = file_name_of(value);
  return is_path(value) && !name.empty() && name != "." && name != "..";
}

bool is_file_template(const std::string& value) {
  return is_file_path(value) && is_name_pattern(file_name_of(value));
}

bool is_two_letters(const std::string& value) {
  return value.empty() || (value.size() == 2 && all_letters(value));
}

bool are_gpu_ids(const std::vector<std::string>& value) {
  return std::all_of(value.begin(), value.end(), is_gpu_id);
}

}  // namespace codecarbon
