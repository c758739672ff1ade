#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace codecarbon::modelled {

/// What makes a processor this one and no other: the words of its name without trade marks, clock
/// rates, core counts and generation words.
struct ModelName {
  std::string vendor;              ///< "intel", "amd"; empty when the name has none
  std::vector<std::string> words;  ///< lower case, sorted, each once

  explicit ModelName(std::string_view text);

  /// The same words, and no other vendor.
  bool same_as(const ModelName& other) const;
  /// The longest run of digits among the words; empty when there is none.
  std::string_view number() const;
};

/// The number of cores that a name such as "AMD EPYC 9454 48-Core Processor" says.
std::optional<int> cores_in_name(std::string_view text);

}  // namespace codecarbon::modelled
