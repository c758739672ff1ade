#pragma once

#include <cstdint>
#include <optional>

namespace codecarbon::amdsmi {

/// How many microjoules one count of an energy accumulator is, as an exact fraction: totals are
/// converted, so that rounding does not pile up over steps. Pure.
class CountScale {
 public:
  /// `resolution_uj` as the libraries state it. All firmware counts in 2^-16 J, that is 15.2587...
  /// µJ (Linux, kgd_pp_interface.h), which the libraries round to 15.3 or 15.259: what is that near
  /// is taken as what it stands for. Missing unless it is a positive number up to a joule.
  static std::optional<CountScale> of(float resolution_uj);

  /// Rounded down. Missing where a counter in 64 bits of microjoules would have overflowed.
  std::optional<std::int64_t> microjoules(std::uint64_t counts) const;

 private:
  CountScale(std::uint64_t numerator, int shift) : numerator_(numerator), shift_(shift) {}

  // A count is numerator / 2^shift microjoules.
  std::uint64_t numerator_;
  int shift_;
};

}  // namespace codecarbon::amdsmi
