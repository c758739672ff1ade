#include "sensors/perf/scale.hpp"

#include <charconv>
#include <limits>

#include "base/text.hpp"

namespace codecarbon::perf {
namespace {

__extension__ using Wide = unsigned __int128;
constexpr Wide kMost = ~Wide{0};
constexpr int kMicro = 6;  // joules to microjoules, as a power of ten

struct Decimal {
  Wide digits = 0;
  int exponent = 0;
};

std::optional<int> parse_exponent(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (value < -100 || value > 100) return std::nullopt;
  return value;
}

std::optional<Decimal> parse_decimal(std::string_view text) {
  Decimal number;
  const auto mark = text.find_first_of("eE");
  if (mark != std::string_view::npos) {
    const auto exponent = parse_exponent(text.substr(mark + 1));
    if (!exponent) return std::nullopt;
    number.exponent = *exponent;
    text = text.substr(0, mark);
  }
  bool fraction = false;
  for (const char c : text) {
    if (c == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (c < '0' || c > '9' || number.digits > (kMost - 9) / 10) return std::nullopt;
    number.digits = number.digits * 10 + static_cast<unsigned>(c - '0');
    if (fraction) --number.exponent;
  }
  return number.digits == 0 ? std::nullopt : std::optional(number);
}

Wide greatest_divisor(Wide a, Wide b) {
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// Multiplies `value` by 10^power as far as it fits.
bool raise(Wide& value, int power) {
  for (; power > 0; --power) {
    if (value > kMost / 10) return false;
    value *= 10;
  }
  return true;
}

}  // namespace

std::optional<Scale> Scale::parse(std::string_view joules) {
  const auto number = parse_decimal(trimmed(joules));
  if (!number) return std::nullopt;
  const int power = number->exponent + kMicro;
  Wide numerator = number->digits;
  Wide denominator = 1;
  if (!raise(power < 0 ? denominator : numerator, power < 0 ? -power : power)) return std::nullopt;
  const Wide common = greatest_divisor(numerator, denominator);
  numerator /= common;
  // Then the product with any count of 64 bits fits.
  if (numerator > std::numeric_limits<std::uint64_t>::max()) return std::nullopt;
  return Scale(static_cast<std::uint64_t>(numerator), denominator / common);
}

std::optional<std::int64_t> Scale::microjoules(std::uint64_t count) const {
  const Wide energy = Wide{count} * numerator_ / denominator_;
  if (energy > static_cast<Wide>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
  return static_cast<std::int64_t>(energy);
}

}  // namespace codecarbon::perf
