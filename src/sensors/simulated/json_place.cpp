#include "sensors/simulated/json_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.hpp"

namespace codecarbon::simulated {
namespace {

constexpr std::size_t kLongestDisplay = 160;
constexpr std::size_t kLongestValue = 60;
constexpr std::size_t kDeepest = 32;

using Json = nlohmann::json;

std::string shorten(std::string text, std::size_t longest) {
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

std::string dump(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return fmt::format("an array of {}", value.size());
  return shorten(value.dump(-1, ' ', true), kLongestValue);
}

/// Sees the document while it is parsed, to find what the finished tree no longer shows.
class Inspector {
 public:
  explicit Inspector(Verdict& verdict) : verdict_(verdict) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    const auto level = static_cast<std::size_t>(depth);
    if (level > kDeepest) {
      verdict_.reject(fmt::format("is nested too deep; accepted: {} levels", kDeepest));
      return false;
    }
    if (event == Json::parse_event_t::object_start) keys_at(level + 1).clear();
    if (event == Json::parse_event_t::key) note(level, parsed.get_ref<const std::string&>());
    return true;
  }

 private:
  std::set<std::string>& keys_at(std::size_t level) {
    if (keys_.size() <= level) keys_.resize(level + 1);
    return keys_[level];
  }
  void note(std::size_t level, const std::string& key) {
    if (keys_at(level).insert(key).second) return;
    verdict_.reject(fmt::format("has the key \"{}\" twice in one object; accepted: once",
                                shorten(for_display(key), kLongestValue)));
  }

  Verdict& verdict_;
  std::vector<std::set<std::string>> keys_;
};

/// "[json.exception.parse_error.101] parse error at line 3, column 5: ..." without the bracket.
std::string_view without_tag(std::string_view what) {
  const auto end = what.find("] ");
  return what.starts_with('[') && end != std::string_view::npos ? what.substr(end + 2) : what;
}

std::string join(std::span<const std::string_view> words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::string for_display(std::string_view text) {
  std::string line(text.substr(0, kLongestDisplay));
  for (char& c : line) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text.size() > kLongestDisplay ? line + "..." : line;
}

void Verdict::reject(std::string_view what) {
  if (!error) error = Error{ErrorKind::format, fmt::format("{}: {}", document, what)};
}

Json parse_strictly(std::string_view text, Verdict& verdict) {
  // For the parser it would be the end, whatever stands behind it.
  if (text.find('\0') != std::string_view::npos) {
    verdict.reject("holds a zero byte; accepted: a JSON object as in docs/machine-file.md");
    return {};
  }
  Inspector inspector(verdict);
  const auto inspect = [&](int depth, Json::parse_event_t event, Json& parsed) {
    return inspector(depth, event, parsed);
  };
  // The parser says where it failed only by throwing.
  try {
    Json document = Json::parse(text.begin(), text.end(), inspect);
    return verdict.error ? Json() : document;
  } catch (const Json::exception& error) {
    verdict.reject(fmt::format("{}; accepted: a JSON object as in docs/machine-file.md",
                               for_display(without_tag(error.what()))));
    return {};
  }
}

bool Place::is_number() const {
  return value_->is_number();
}

bool Place::is_object() const {
  return value_->is_object();
}

void Place::expect_keys(std::initializer_list<std::string_view> keys) const {
  const std::span known(keys.begin(), keys.size());
  if (!is_object()) return reject("an object with " + join(known));
  for (const auto& [key, value] : value_->items()) {
    if (key == "comment") {
      if (!value.is_string()) find(key)->reject("a text");
      continue;
    }
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const auto close = closest(key, known);
    complain(fmt::format("has an unknown key \"{}\"{}; accepted: {}, comment (text)",
                         shorten(for_display(key), kLongestValue),
                         close ? fmt::format(" (did you mean \"{}\"?)", *close) : "", join(known)));
  }
}

std::optional<Place> Place::find(std::string_view key) const {
  if (!is_object()) return std::nullopt;
  const auto found = value_->find(key);
  if (found == value_->end()) return std::nullopt;
  return Place(*found, path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key),
               *verdict_);
}

std::optional<Place> Place::require(std::string_view key, std::string_view accepted) const {
  auto found = find(key);
  if (!found) complain(fmt::format("has no \"{}\"; accepted: {}", key, accepted));
  return found;
}

double Place::number(double low, double high, std::string_view unit) const {
  const double value = value_->is_number() ? value_->get<double>() : std::nan("");
  if (value >= low && value <= high) return value;
  reject(fmt::format("a number of {} from {} to {}", unit, low, high));
  return low;
}

int Place::whole_number(int low, int high) const {
  const double value = value_->is_number_integer() ? value_->get<double>() : std::nan("");
  if (value >= low && value <= high) return static_cast<int>(value);
  reject(fmt::format("a whole number from {} to {}", low, high));
  return low;
}

std::string Place::text() const {
  if (value_->is_string()) {
    const auto& text = value_->get_ref<const std::string&>();
    const auto control = [](char c) { return c >= '\0' && c < ' '; };
    if (!text.empty() && text.size() <= kLongestText &&
        std::none_of(text.begin(), text.end(), control)) {
      return text;
    }
  }
  reject(fmt::format("a text of one line and 1 to {} bytes", kLongestText));
  return {};
}

std::size_t Place::choice(std::span<const std::string_view> choices) const {
  if (!value_->is_string()) {
    reject("one of " + join(choices));
    return 0;
  }
  const auto& text = value_->get_ref<const std::string&>();
  const auto found = std::find(choices.begin(), choices.end(), text);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  const auto close = closest(text, choices);
  reject(fmt::format("one of {}{}", join(choices),
                     close ? fmt::format(" (did you mean \"{}\"?)", *close) : ""));
  return 0;
}

std::vector<Place> Place::items(std::size_t fewest, std::size_t most,
                                std::string_view accepted) const {
  if (!value_->is_array() || value_->size() < fewest || value_->size() > most) {
    reject(accepted);
    return {};
  }
  std::vector<Place> items;
  items.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i) {
    items.emplace_back((*value_)[i], fmt::format("{}[{}]", path_, i), *verdict_);
  }
  return items;
}

void Place::reject(std::string_view accepted) const {
  complain(fmt::format("is {}; accepted: {}", dump(*value_), accepted));
}

void Place::complain(std::string_view what) const {
  verdict_->reject(fmt::format("{} {}", path_.empty() ? "the document" : path_, what));
}

}  // namespace codecarbon::simulated
