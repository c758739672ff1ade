#pragma once

#include <optional>
#include <string>

namespace codecarbon {

/// The shortest text that reads back to the same double, always with a point or an exponent so that
/// a column of such numbers never turns into integers ("0.0"). NaN and infinity are no numbers: the
/// empty text.
std::string number_text(double value);
std::string number_text(const std::optional<double>& value);

}  // namespace codecarbon
