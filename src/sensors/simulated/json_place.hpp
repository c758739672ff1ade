#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecarbon/error.hpp"

namespace codecarbon::simulated {

/// The first thing that is wrong with a document; later ones are mostly its consequences.
struct Verdict {
  std::string document;  ///< "machine file node.json"
  std::optional<Error> error;

  void reject(std::string_view what);
};

/// Text as a person may see it: one line, printable, not long.
std::string for_display(std::string_view text);

/// Parses strict JSON: no comments, no key twice, no deep nesting. Null and a verdict if it is not.
nlohmann::json parse_strictly(std::string_view text, Verdict& verdict);

/// A value in a JSON document and the way to it. What is not as asked for is put into the verdict
/// and answered with something harmless, so a reader asks on and the caller looks at the end.
/// Document and verdict must outlive it.
class Place {
 public:
  Place(const nlohmann::json& value, std::string path, Verdict& verdict)
      : value_(&value), path_(std::move(path)), verdict_(&verdict) {}

  const std::string& path() const { return path_; }
  bool is_number() const;
  bool is_object() const;

  /// An object with no other keys than these, `comment` (a text) aside.
  void expect_keys(std::initializer_list<std::string_view> keys) const;
  /// Nothing if this is no object or has no such key.
  std::optional<Place> find(std::string_view key) const;
  /// As `find`, and its absence is an error. `accepted` describes the value.
  std::optional<Place> require(std::string_view key, std::string_view accepted) const;

  /// In [low, high]. `unit` is for the message: "watts".
  double number(double low, double high, std::string_view unit) const;
  int whole_number(int low, int high) const;
  /// Between 1 and `kLongestText` bytes.
  std::string text() const;
  /// Which of `choices`, by position.
  std::size_t choice(std::span<const std::string_view> choices) const;
  /// The items of an array that has between `fewest` and `most` of them.
  std::vector<Place> items(std::size_t fewest, std::size_t most, std::string_view accepted) const;

  /// "PATH is VALUE; accepted: ..."
  void reject(std::string_view accepted) const;
  /// "PATH ..."
  void complain(std::string_view what) const;

  static constexpr std::size_t kLongestText = 200;

 private:
  const nlohmann::json* value_;
  std::string path_;
  Verdict* verdict_;
};

}  // namespace codecarbon::simulated
