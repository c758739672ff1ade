#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace codecarbon::perf {

/// What one count of an event means, as an exact fraction of microjoules. The kernel writes it in
/// joules as a decimal number with all its digits ("2.3283064365386962890625e-10" is 2^-32 J).
class Scale {
 public:
  /// Missing when the text is no positive number, or none whose products can be kept exactly.
  static std::optional<Scale> parse(std::string_view joules);

  /// The whole microjoules of `count`; missing when they do not fit.
  std::optional<std::int64_t> microjoules(std::uint64_t count) const;

 private:
  __extension__ using Wide = unsigned __int128;
  Scale(std::uint64_t numerator, Wide denominator)
      : numerator_(numerator), denominator_(denominator) {}

  std::uint64_t numerator_;
  Wide denominator_;
};

}  // namespace codecarbon::perf
