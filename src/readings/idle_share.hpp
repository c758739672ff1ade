#pragma once

namespace codecarbon {

/// What a processor of several dies draws when nothing runs, as a share of its rated power.
/// tools/power_model.py fits it to public measurements, and its --check holds it against the fit.
inline constexpr double kSeveralDiesIdleShare = 0.19;

}  // namespace codecarbon
